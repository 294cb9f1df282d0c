// Courses.java
package example;

import static org.springframework.security.config.Customizer.withDefaults;

import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Courses {
  public static void main(String[] args) {
    SpringApplication.run(Courses.class, args);
  }

  @Bean
  SecurityFilterChain security(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(requests -> requests
            .requestMatchers("/courses").hasAuthority("SCOPE_courses:read")
            .anyRequest().denyAll())
        .oauth2ResourceServer(server -> server.opaqueToken(withDefaults()))
        .build();
  }

  @GetMapping("/courses")
  Map<String, Object> courses(@AuthenticationPrincipal OAuth2AuthenticatedPrincipal token) {
    if (!"Bearer".equals(token.getAttribute("token_type"))) throw new InvalidBearerTokenException("bound to a key");
    if ("service".equals(token.getAttribute("client_audience"))) throw new AccessDeniedException("members only");
    return Map.of(
        "courses", List.of("Knots"),
        "school", token.getAttribute("org_id"),
        "member", token.getAttribute("sub"),
        "roles", token.getAttribute("roles"));
  }
}
