package io.entroq.server.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.console.login.UserEntry;
import io.entroq.console.user.Role;
import io.entroq.server.settings.Settings;
import io.entroq.tools.terminal.CommandException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.security.crypto.bcrypt.BCrypt;

/** The console of a server. */
class ServedConsoleTest {
  @TempDir private Path directory;

  private static EntroqServer start(String... settings) {
    Map<String, String> environment = new HashMap<>();
    environment.put("ENTROQ_HOST", "127.0.0.1");
    environment.put("ENTROQ_PORT", "0");
    environment.put("ENTROQ_HTTP_PORT", "0");
    for (int i = 0; i < settings.length; i += 2) {
      environment.put("ENTROQ_" + settings[i], settings[i + 1]);
    }
    return EntroqServer.start(Settings.of(List.of(), Optional.empty(), environment));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(EntroqServer server, String path) {
    return HttpRequest.newBuilder(
        URI.create("http://localhost:%d%s".formatted(server.httpPort(), path)));
  }

  private String users() throws Exception {
    String hash = BCrypt.hashpw("right", BCrypt.gensalt(4));
    String line = new UserEntry("ann", hash, Role.OPERATOR).line();
    return Files.writeString(directory.resolve("users"), line).toString();
  }

  @Test
  void shouldShowTheQueueToThisMachine() throws Exception {
    try (EntroqServer server = start()) {
      assertThat(server.console())
          .isEqualTo(
              "Console: http://localhost:%d/console, on this machine only"
                  .formatted(server.httpPort()));
      assertThat(send(request(server, "/console")).statusCode()).isEqualTo(200);
      // A proxy speaks for others.
      assertThat(
              send(request(server, "/console").header("x-forwarded-for", "192.0.2.7")).statusCode())
          .isEqualTo(421);
      // The console is a caller like others.
      assertThat(send(request(server, "/metrics")).body()).contains("transport=\"console\"");
    }
  }

  @Test
  void shouldBeOffIfThatIsWanted() throws Exception {
    try (EntroqServer server = start("CONSOLE", "false")) {
      assertThat(server.console()).isEqualTo("Console: off");
      assertThat(send(request(server, "/console")).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void shouldAskForALogin() throws Exception {
    try (EntroqServer server = start("CONSOLE_LOGIN", "file", "CONSOLE_USERS_FILE", users())) {
      assertThat(send(request(server, "/console")).statusCode()).isEqualTo(303);
      HttpResponse<String> login =
          send(
              request(server, "/console/login")
                  .header("content-type", "application/x-www-form-urlencoded")
                  .header("sec-fetch-site", "same-origin")
                  .POST(HttpRequest.BodyPublishers.ofString("name=ann&password=right")));
      assertThat(login.statusCode()).as(login.body()).isEqualTo(303);
      String cookie = login.headers().firstValue("set-cookie").orElseThrow();
      HttpResponse<String> page =
          send(
              request(server, "/console")
                  .header("cookie", cookie.substring(0, cookie.indexOf(';'))));
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.body()).contains("ann", "operator");
    }
  }

  @Test
  void shouldKnowSessionsOfOtherMembersWithTheSameSecret() throws Exception {
    String secret = Files.write(directory.resolve("secret"), new byte[32]).toString();
    String[] settings = {
      "CONSOLE_LOGIN", "file", "CONSOLE_USERS_FILE", users(), "CONSOLE_SECRET_FILE", secret
    };
    try (EntroqServer one = start(settings);
        EntroqServer other = start(settings)) {
      HttpResponse<String> login =
          send(
              request(one, "/console/login")
                  .header("content-type", "application/x-www-form-urlencoded")
                  .header("sec-fetch-site", "same-origin")
                  .POST(HttpRequest.BodyPublishers.ofString("name=ann&password=right")));
      String cookie = login.headers().firstValue("set-cookie").orElseThrow();
      assertThat(
              send(request(other, "/console")
                      .header("cookie", cookie.substring(0, cookie.indexOf(';'))))
                  .statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void shouldNotStartWithWhatCannotBeUsed() throws Exception {
    String missing = directory.resolve("missing").toString();
    assertThatThrownBy(() -> start("CONSOLE_LOGIN", "file", "CONSOLE_USERS_FILE", missing))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("console: cannot use the file of users " + missing);
    String shortSecret = Files.write(directory.resolve("short"), new byte[31]).toString();
    String users = users();
    assertThatThrownBy(
            () ->
                start(
                    "CONSOLE_LOGIN",
                    "file",
                    "CONSOLE_USERS_FILE",
                    users,
                    "CONSOLE_SECRET_FILE",
                    shortSecret))
        .hasMessageContaining("has 31 bytes; a secret of the console has at least 32");
    assertThatThrownBy(
            () ->
                start(
                    "CONSOLE_LOGIN",
                    "file",
                    "CONSOLE_USERS_FILE",
                    users,
                    "CONSOLE_URL",
                    "http://q/x"))
        .hasMessageContaining("expected a URL such as https://queue.example.com");
  }
}
