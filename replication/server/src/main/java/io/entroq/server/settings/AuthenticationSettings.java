package io.entroq.server.settings;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Settings of authentication. */
public final class AuthenticationSettings {
  private static final Section IN = Section.AUTHENTICATION;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final int TOKENS_MAX = 1 << 20;

  public static final Setting<AuthenticatorName> AUTHN =
      IN.setting(
              "authn",
              SettingTypes.choice("NAME", AuthenticatorName.class),
              "none",
              "Authentication. none: callers need not say who they are; jwt: every request needs a"
                  + " signed token (JSON Web Token) in the header `Authorization: Bearer TOKEN`."
                  + " Needs --auth-issuer, --auth-audience and a place of keys.")
          .changeWhen("callers have tokens, as services in Kubernetes do");

  public static final Setting<URI> AUTH_JWKS_URL =
      IN.optional(
              "auth-jwks-url",
              SettingTypes.url("URL"),
              "none",
              "Keys of the issuer (JSON Web Key Set). https://, or http:// on this machine."
                  + " Redirects are not followed.")
          .changeWhen("you set `--authn jwt`");

  public static final Setting<Path> AUTH_JWKS_FILE =
      IN.optional(
              "auth-jwks-file",
              SettingTypes.path("FILE"),
              "none",
              "Keys of the issuer in a file, instead of --auth-jwks-url. A changed file is read"
                  + " again.")
          .changeWhen("the server cannot reach the issuer");

  public static final Setting<Path> AUTH_JWKS_TOKEN_FILE =
      IN.optional(
              "auth-jwks-token-file",
              SettingTypes.path("FILE"),
              "none",
              "Bearer token for --auth-jwks-url; read for each request.")
          .changeWhen("the issuer tells its keys only to those with a token, like Kubernetes");

  public static final Setting<Path> AUTH_CA_FILE =
      IN.optional(
              "auth-ca-file",
              SettingTypes.path("FILE"),
              "none",
              "CA certificates for --auth-jwks-url, PEM, besides those that Java trusts.")
          .changeWhen("a private CA has signed the issuer's certificate");

  public static final Setting<String> AUTH_ISSUER =
      IN.optional(
              "auth-issuer", SettingTypes.text("NAME"), "none", "The issuer (iss) of all tokens.")
          .changeWhen("you set `--authn jwt`");

  public static final Setting<List<String>> AUTH_AUDIENCE =
      IN.optional(
              "auth-audience",
              SettingTypes.list(),
              "none",
              "Accept tokens for any of these audiences (aud); separated by commas, or by repeating"
                  + " the flag.")
          .changeWhen("you set `--authn jwt`");

  public static final Setting<String> AUTH_USER_CLAIM =
      IN.setting(
              "auth-user-claim",
              SettingTypes.text("CLAIM"),
              "sub",
              "The claim that names the caller to the authorizer.")
          .changeWhen("policies know callers by another name, such as their e-mail address");

  public static final Setting<String> AUTH_ALGORITHMS =
      IN.setting(
              "auth-algorithms",
              SettingTypes.text("LIST"),
              "RSA,EC,OKP",
              "Accepted signatures: algorithms, or types of keys for all of their algorithms. RSA:"
                  + " RS256 to RS512, PS256 to PS512, keys from 2048 bits; EC: ES256, ES384, ES512;"
                  + " OKP: EdDSA (Ed25519). none and shared secrets are never accepted.")
          .changeWhen("your issuer signs by one algorithm and you want to refuse the others");

  public static final Setting<Duration> AUTH_CLOCK_SKEW =
      IN.setting(
              "auth-clock-skew",
              SettingTypes.duration(Duration.ZERO, HOUR),
              "30s",
              "How far the issuer's clock may differ: a token is accepted so long before it starts"
                  + " and after it ends.")
          .changeWhen("clocks differ by more, or are all exact");

  public static final Setting<Duration> AUTH_TOKEN_CACHE_TTL =
      IN.setting(
          "auth-token-cache-ttl",
          SettingTypes.duration(Duration.ZERO, HOUR),
          "30s",
          "Verify a token again after this time; 0s: for each request.");

  public static final Setting<Integer> AUTH_TOKEN_CACHE_ENTRIES =
      IN.setting(
              "auth-token-cache-entries",
              SettingTypes.integer("N", 1, TOKENS_MAX),
              "4096",
              "Verified tokens to remember.")
          .changeWhen("more callers than that are active at a time");

  public static final Setting<Duration> AUTH_JWKS_CACHE_TTL =
      IN.setting(
              "auth-jwks-cache-ttl",
              SettingTypes.duration(SECOND, DAY),
              "5m",
              "Use keys for this long without fetching them again. They are fetched again after half"
                  + " of it; if that fails until the end, requests are answered UNAVAILABLE.")
          .changeWhen("the issuer may be away for longer");

  public static final Setting<Duration> AUTH_JWKS_REFRESH_INTERVAL =
      IN.setting(
          "auth-jwks-refresh-interval",
          SettingTypes.duration(SECOND, HOUR),
          "5s",
          "Fetch keys at most this often, whatever tokens name. A file is read again this often.");

  public static final Setting<Duration> AUTH_HTTP_TIMEOUT =
      IN.setting(
          "auth-http-timeout",
          SettingTypes.duration(Duration.ofMillis(1), HOUR),
          "10s",
          "How long fetching keys may take.");

  /** The authenticators, by EntroQ's names. */
  public enum AuthenticatorName {
    /** Callers need not say who they are. */
    NONE,
    /** Signed tokens, JSON Web Tokens. */
    JWT
  }

  private AuthenticationSettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(
        AUTHN,
        AUTH_JWKS_URL,
        AUTH_JWKS_FILE,
        AUTH_JWKS_TOKEN_FILE,
        AUTH_CA_FILE,
        AUTH_ISSUER,
        AUTH_AUDIENCE,
        AUTH_USER_CLAIM,
        AUTH_ALGORITHMS,
        AUTH_CLOCK_SKEW,
        AUTH_TOKEN_CACHE_TTL,
        AUTH_TOKEN_CACHE_ENTRIES,
        AUTH_JWKS_CACHE_TTL,
        AUTH_JWKS_REFRESH_INTERVAL,
        AUTH_HTTP_TIMEOUT);
  }
}
