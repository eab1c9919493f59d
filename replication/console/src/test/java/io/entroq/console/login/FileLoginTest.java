package io.entroq.console.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.console.ConsoleConfig;
import io.entroq.console.ConsoleConfig.LoginKind;
import io.entroq.console.user.Role;
import io.entroq.console.web.ConsoleFixture;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.security.crypto.bcrypt.BCrypt;

class FileLoginTest {
  /** Of {@code abc123xyz}, as the page of Wikipedia about bcrypt has it. */
  private static final String KNOWN =
      "$2a$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW";

  private static final int CHEAP = 4;

  @TempDir private Path directory;
  private ConsoleFixture console;

  @BeforeEach
  void open() throws IOException {
    open(Optional.empty());
  }

  private void open(Optional<URI> url) throws IOException {
    String hash = BCrypt.hashpw("right", BCrypt.gensalt("$2y", CHEAP));
    Path users =
        Files.writeString(
            directory.resolve("users"),
            new UserEntry("ann", hash, Role.VIEWER).line() + "\nbob:*:admin\n");
    console =
        new ConsoleFixture(
            new ConsoleConfig(
                LoginKind.FILE, Optional.of(users), url, Optional.empty(), List.of()));
  }

  @AfterEach
  void close() {
    console.close();
  }

  private HttpResponse<String> logIn(String name, String password) {
    return console.post(
        "/console/login",
        "name=%s&password=%s&next=%s"
            .formatted(name, password, URLEncoder.encode("/console?x=1", StandardCharsets.UTF_8)));
  }

  private HttpResponse<String> get(String path, String... headers) {
    HttpRequest.Builder request = console.request(path);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return console.send(request.build());
  }

  private String cookie() {
    HttpResponse<String> response = logIn("ann", "right");
    assertThat(response.statusCode()).as(response.body()).isEqualTo(303);
    assertThat(response.headers().firstValue("location")).contains("/console?x=1");
    String header = response.headers().firstValue("set-cookie").orElseThrow();
    return header.substring(0, header.indexOf(';'));
  }

  @Test
  void shouldAskForALogin() {
    HttpResponse<String> page = get("/console/queues?q=a%20b");
    assertThat(page.statusCode()).isEqualTo(303);
    assertThat(page.headers().firstValue("location"))
        .contains("/console/login?next=%2Fconsole%2Fqueues%3Fq%3Da%2520b");
    assertThat(get("/console/login?next=%2Fconsole").body()).contains("name=\"password\"");
    assertThat(console.post("/console/queue/pause", "name=x").statusCode()).isEqualTo(403);
  }

  @Test
  void shouldShowPagesAfterALogin() {
    HttpResponse<String> page = get("/console", "cookie", cookie());
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("ann").contains("viewer").contains("Log out");
  }

  @Test
  void shouldRefuseWrongPasswordsAndUnknownNames() {
    for (String name : List.of("ann", "nobody", "bob")) {
      HttpResponse<String> page = logIn(name, "wrong");
      assertThat(page.statusCode()).isEqualTo(422);
      assertThat(page.body()).contains("The name or the password is wrong.");
      assertThat(page.headers().firstValue("set-cookie")).isEmpty();
    }
  }

  @Test
  void shouldBlockWhoeverGuesses() {
    for (int i = 0; i < 5; i++) {
      assertThat(logIn("ann", "wrong" + i).statusCode()).isEqualTo(422);
    }
    HttpResponse<String> page = logIn("ann", "right");
    assertThat(page.statusCode()).isEqualTo(429);
    assertThat(page.body()).contains("Try again in a minute");
  }

  @Test
  void shouldRememberNothingOfNamesAndPasswordsThatNobodyCanHave() {
    for (int i = 0; i < 7; i++) {
      HttpResponse<String> page = logIn("x".repeat(100_000), "wrong");
      assertThat(page.statusCode()).isEqualTo(422);
      assertThat(page.body())
          .contains("The name or the password is wrong.")
          .doesNotContain("xxxxxxxxxx");
      assertThat(logIn("ann", "y".repeat(73)).statusCode()).isEqualTo(422);
    }
    assertThat(logIn("ann", "right").statusCode()).isEqualTo(303);
  }

  @Test
  void shouldNotBlockTheAddressOfAProxy() throws IOException {
    console.close();
    open(Optional.of(URI.create("https://queue.example.com")));
    for (int i = 0; i < 5; i++) {
      assertThat(logInBehindProxy("nobody", "wrong")).startsWith("HTTP/1.1 422");
    }
    assertThat(logInBehindProxy("nobody", "wrong")).startsWith("HTTP/1.1 429");
    assertThat(logInBehindProxy("ann", "right")).startsWith("HTTP/1.1 303");
  }

  /** The client of the JDK sends no name of another host. */
  private String logInBehindProxy(String name, String password) throws IOException {
    String form = "name=%s&password=%s".formatted(name, password);
    String request =
        """
        POST /console/login HTTP/1.1
        host: queue.example.com
        connection: close
        sec-fetch-site: same-origin
        content-type: application/x-www-form-urlencoded
        content-length: %d

        %s"""
            .formatted(form.length(), form);
    try (Socket socket = new Socket("localhost", URI.create(console.origin()).getPort())) {
      socket
          .getOutputStream()
          .write(request.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void shouldLeadToNoOtherSite() {
    HttpResponse<String> response =
        console.post("/console/login", "name=ann&password=right&next=https://evil.example/console");
    assertThat(response.headers().firstValue("location")).contains("/console");
  }

  @Test
  void shouldLogOut() {
    HttpResponse<String> response = console.post("/console/logout", "");
    assertThat(response.statusCode()).isEqualTo(303);
    assertThat(response.headers().firstValue("set-cookie").orElseThrow())
        .startsWith("__Host-entroq=; Max-Age=0");
  }

  @Test
  void shouldLetLinksFromElsewhereReachTheCookie() {
    HttpResponse<String> page =
        get("/console/queues?q=x", "sec-fetch-site", "cross-site", "sec-fetch-mode", "navigate");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("url=/console/queues?q=x");
  }

  @Test
  void shouldLoadTheWholePageWhenASessionEndsInALivePage() {
    HttpResponse<String> page = get("/console", "hx-request", "true");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("hx-refresh")).contains("true");
  }

  @Test
  void shouldKnowTheHashesOfOtherPrograms() {
    try (PasswordCheck check = new PasswordCheck()) {
      Optional<UserEntry> known = Optional.of(new UserEntry("ann", KNOWN, Role.VIEWER));
      assertThat(check.isOf(known, "abc123xyz").join()).isTrue();
      assertThat(check.isOf(known, "abc123xyy").join()).isFalse();
    }
  }

  @Test
  void shouldLetNobodyInWhoIsNotInTheFile() {
    try (PasswordCheck check = new PasswordCheck()) {
      assertThat(check.isOf(Optional.empty(), "abc123xyz").join()).isFalse();
    }
    assertThat(PasswordCheck.hash("secret")).startsWith("$2y$12$");
  }
}
