package io.entroq.server.settings;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Who may do what. */
public final class AuthorizationSettings {
  private static final Declaring IN = new Declaring(Section.AUTHORIZATION);
  private static final Duration DAY = Duration.ofDays(1);

  public static final Setting<AuthorizerName> AUTHZ =
      IN.standard(
          "authz",
          Kinds.choice("NAME", AuthorizerName.class),
          "none",
          "Who is asked whether a caller may do something: none; opahttp: an Open Policy Agent.");

  public static final Setting<URI> OPA_URL =
      IN.standard("opa-url", Kinds.url("URL"), "http://localhost:8181", "Where that agent is.");

  public static final Setting<String> OPA_PATH =
      IN.standard("opa-path", Kinds.text("PATH"), "/v1/data/entroq/authz", "Where its policy is.");

  public static final Setting<Duration> OPA_TIMEOUT =
      IN.standard(
          "opa-timeout",
          Kinds.span(Duration.ofMillis(1), DAY),
          "5s",
          "After which time no answer of that agent is a no.");

  public static final Setting<Boolean> OPA_FORWARD =
      IN.on("opa-forward", "Whether the agent gets the caller's Authorization header as its own.");

  public static final Setting<Boolean> AUTHZ_ALL =
      IN.off(
          "authz-all",
          "Asks about docs and statistics too, which EntroQ's own server lets everybody have.");

  private AuthorizationSettings() {}

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(AUTHZ, OPA_URL, OPA_PATH, OPA_TIMEOUT, OPA_FORWARD, AUTHZ_ALL);
  }
}
