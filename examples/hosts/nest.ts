import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { campus, courses, port, started } from './campus.ts';

class Courses {
  list(this: void): readonly string[] {
    return courses;
  }
}

class School {
  readonly name = 'Harbour School';
}

// Node runs this file as it is, so the decorators are called: @Controller('courses'), @Get(), @Module(…).
Controller('courses')(Courses);
Get()(Courses.prototype, 'list', { value: Courses.prototype.list });
Module({ controllers: [Courses] })(School);

const app = await NestFactory.create(School, { logger: ['error', 'warn'] });
app.use(campus.handler()); // not with a MiddlewareConsumer, which takes the path away
await app.listen(port);
started();
