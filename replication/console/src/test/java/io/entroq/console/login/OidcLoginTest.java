package io.entroq.console.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;
import io.entroq.console.ConsoleConfig;
import io.entroq.console.ConsoleConfig.LoginKind;
import io.entroq.console.web.ConsoleFixture;
import io.entroq.service.testing.Await;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OidcLoginTest {
  @TempDir private Path directory;
  private Path users;
  private final ScriptedProvider provider = new ScriptedProvider();
  private ConsoleFixture console;

  @BeforeEach
  void open() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), ScriptedProvider.SECRET + "\n");
    users = Files.writeString(directory.resolve("users"), "root@example.com:*:admin\n");
    OidcConfig oidc =
        new OidcConfig(
            URI.create(provider.issuer()),
            ScriptedProvider.CLIENT,
            Optional.of(secret),
            OidcConfig.SCOPES,
            OidcConfig.USER_CLAIM,
            Optional.of("groups"),
            Set.of("operators"),
            Set.of("admins"));
    console =
        new ConsoleFixture(
            new ConsoleConfig(
                LoginKind.OIDC,
                Optional.of(users),
                Optional.empty(),
                Optional.empty(),
                Optional.of(oidc),
                List.of()));
  }

  @AfterEach
  void close() {
    console.close();
    provider.close();
  }

  /**
   * A login that has begun.
   *
   * @param parameters what the provider was asked with
   */
  private record Begun(Map<String, String> parameters, String cookie) {}

  private Begun begin() {
    HttpResponse<String> start =
        console.get("/console/login/start?next=%2Fconsole%2Fqueues%3Fq%3Dx");
    assertThat(start.statusCode()).as(start.body()).isEqualTo(303);
    URI asked = URI.create(start.headers().firstValue("location").orElseThrow());
    assertThat(asked.toString()).startsWith(provider.issuer() + "/authorize?");
    Map<String, String> parameters = new HashMap<>();
    for (String pair : asked.getRawQuery().split("&")) {
      int mark = pair.indexOf('=');
      parameters.put(
          pair.substring(0, mark),
          URLDecoder.decode(pair.substring(mark + 1), StandardCharsets.UTF_8));
    }
    return new Begun(parameters, cookie(start));
  }

  private static String cookie(HttpResponse<String> response) {
    String header = response.headers().firstValue("set-cookie").orElseThrow();
    return header.substring(0, header.indexOf(';'));
  }

  private HttpResponse<String> get(String path, String cookie) {
    return console.send(console.request(path).header("cookie", cookie).build());
  }

  private HttpResponse<String> comeBack(Begun begun, String code) {
    return get(
        "/console/login/callback?code=%s&state=%s".formatted(code, begun.parameters.get("state")),
        begun.cookie);
  }

  private HttpResponse<String> logIn(UnaryOperator<JWTClaimsSet.Builder> claims) {
    Begun begun = begin();
    provider.grant(
        "code",
        begun.parameters.get("code_challenge"),
        claims.apply(provider.claims(begun.parameters.get("nonce"))).build());
    return comeBack(begun, "code");
  }

  private void refuses(HttpResponse<String> response, int status, String text) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.body()).contains(text);
    assertThat(response.headers().firstValue("set-cookie")).isEmpty();
  }

  @Test
  void shouldAskTheProvider() {
    assertThat(console.get("/console/login").body()).contains("Log in at 127.0.0.1");
    assertThat(begin().parameters)
        .containsEntry("response_type", "code")
        .containsEntry("client_id", ScriptedProvider.CLIENT)
        .containsEntry("redirect_uri", console.origin() + "/console/login/callback")
        .containsEntry("scope", "openid email profile")
        .containsEntry("code_challenge_method", "S256")
        .containsKeys("state", "nonce", "code_challenge");
  }

  @Test
  void shouldLogUsersIn() {
    HttpResponse<String> back = logIn(claims -> claims);
    assertThat(back.statusCode()).as(back.body()).isEqualTo(200);
    assertThat(back.body()).contains("url=/console/login/done?next=%2Fconsole%2Fqueues%3Fq%3Dx");
    String session = cookie(back);
    HttpResponse<String> done =
        get("/console/login/done?next=%2Fconsole%2Fqueues%3Fq%3Dx", session);
    assertThat(done.headers().firstValue("location")).contains("/console/queues?q=x");
    assertThat(done.headers().firstValue("set-cookie").orElseThrow())
        .startsWith("__Host-entroq-login=; Max-Age=0");
    assertThat(get("/console", session).body()).contains("ann@example.com", "viewer");
  }

  @Test
  void shouldGiveRolesByAClaimOrByTheFile() {
    String operator = cookie(logIn(claims -> claims.claim("groups", List.of("x", "operators"))));
    assertThat(get("/console", operator).body()).contains("<small>operator</small>");
    String admin = cookie(logIn(claims -> claims.claim("groups", "admins")));
    assertThat(get("/console", admin).body()).contains("<small>admin</small>");
    // Some providers write it as text.
    String named =
        cookie(
            logIn(
                claims ->
                    claims.claim("email", "root@example.com").claim("email_verified", "true")));
    assertThat(get("/console", named).body()).contains("<small>admin</small>");
  }

  @Test
  void shouldTakeTheRoleAwayWithTheLineOfTheFile() throws IOException {
    String named = cookie(logIn(claims -> claims.claim("email", "root@example.com")));
    assertThat(get("/console", named).body()).contains("<small>admin</small>");
    Files.writeString(users, "");
    Await.until(
        "the file is read again",
        () -> get("/console", named).body().contains("<small>viewer</small>"));
  }

  @Test
  void shouldNotAskAProviderWhoseAnswersOthersCouldForge() {
    assertThatThrownBy(
            () ->
                new OidcConfig(
                    URI.create("http://login.example.com"),
                    ScriptedProvider.CLIENT,
                    Optional.empty(),
                    OidcConfig.SCOPES,
                    OidcConfig.USER_CLAIM,
                    Optional.empty(),
                    Set.of(),
                    Set.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("https://");
  }

  @Test
  void shouldRefuseTokensThatWereNotMadeForThisLogin() {
    refuses(logIn(claims -> claims.claim("nonce", "other")), 403, "made for another login");
    refuses(logIn(claims -> claims.claim("nonce", null)), 403, "made for another login");
    refuses(logIn(claims -> claims.audience("another")), 403, "cannot be accepted");
    refuses(logIn(claims -> claims.issuer("https://evil.example")), 403, "cannot be accepted");
    refuses(logIn(claims -> claims.claim("email", null)), 403, "no claim email");
    for (Object value : new Object[] {false, "false", null, 1}) {
      refuses(
          logIn(claims -> claims.claim("email_verified", value)),
          403,
          "--console-oidc-user-claim sub");
    }
    provider.isUnsigned = true;
    refuses(logIn(claims -> claims), 403, "cannot be accepted");
  }

  @Test
  void shouldRefuseLoginsThatThisBrowserHasNotBegun() {
    Begun begun = begin();
    String state = begun.parameters.get("state");
    refuses(console.get("/console/login/callback?code=x&state=" + state), 403, "not begun in this");
    refuses(
        get("/console/login/callback?code=x&state=other", begun.cookie), 403, "not begun in this");
    refuses(
        get("/console/login/callback?code=x&state=" + state, begun.cookie + "x"),
        403,
        "not begun in this");
  }

  @Test
  void shouldRefuseACodeThatWasRedeemed() {
    Begun begun = begin();
    provider.grant(
        "once",
        begun.parameters.get("code_challenge"),
        provider.claims(begun.parameters.get("nonce")).build());
    assertThat(comeBack(begun, "once").statusCode()).isEqualTo(200);
    refuses(comeBack(begun, "once"), 502, "status 400");
  }

  @Test
  void shouldSayWhatTheProviderRefuses() {
    Begun begun = begin();
    refuses(
        get(
            "/console/login/callback?error=access_denied&error_description=not+you&state="
                + begun.parameters.get("state"),
            begun.cookie),
        403,
        "access_denied not you");
  }

  @Test
  void shouldSayThatTheProviderIsAway() {
    provider.close();
    refuses(console.get("/console/login/start"), 502, "it does not answer");
  }
}
