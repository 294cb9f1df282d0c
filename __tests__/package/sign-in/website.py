# A Flask application with the settings of the recipe, which the test passes in. It prints its port.
import os, sys
from authlib.integrations.flask_client import OAuth
from flask import Flask, jsonify, session, url_for
from werkzeug.serving import make_server

app = Flask(__name__)
app.secret_key = "a secret of the tests"
oauth = OAuth(app)
exec(os.environ["SETTINGS"])


@app.get("/login")
def login():
    return oauth.school.authorize_redirect(url_for("auth", _external=True))


@app.get("/auth")
def auth():
    token = oauth.school.authorize_access_token()
    session["refresh_token"] = token["refresh_token"]
    session["id_token"] = token["id_token"]
    return jsonify(user=token["userinfo"], access_token=token["access_token"])


@app.get("/refresh")
def refresh():
    token = oauth.school.fetch_access_token(grant_type="refresh_token", refresh_token=session["refresh_token"])
    return jsonify(access_token=token["access_token"])


server = make_server("127.0.0.1", int(os.environ["PORT"]), app)
print("listening", flush=True)
server.serve_forever()
