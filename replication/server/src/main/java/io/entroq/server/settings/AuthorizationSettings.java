package io.entroq.server.settings;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Settings of authorization. */
public final class AuthorizationSettings {
  private static final Section IN = Section.AUTHORIZATION;
  private static final Duration DAY = Duration.ofDays(1);

  public static final Setting<AuthorizerName> AUTHZ =
      IN.setting(
              "authz",
              SettingTypes.choice("NAME", AuthorizerName.class),
              "none",
              "Authorizer. none: every caller may do everything; opahttp: ask an Open Policy Agent"
                  + " (OPA) over HTTP; mesh: a policy for Kubernetes service accounts, which EntroQ's"
                  + " operator puts at /v1/data/mesh of the HTTP port. mesh needs --authn jwt.")
          .changeWhen("callers have different permissions");

  public static final Setting<URI> OPA_URL =
      IN.setting("opa-url", SettingTypes.url("URL"), "http://localhost:8181", "Address of OPA.")
          .changeWhen("OPA does not run as a sidecar");

  public static final Setting<String> OPA_PATH =
      IN.setting(
              "opa-path", SettingTypes.text("PATH"), "/v1/data/entroq/authz", "Path of the policy.")
          .changeWhen("your policy is in another package");

  public static final Setting<Duration> OPA_TIMEOUT =
      IN.setting(
              "opa-timeout",
              SettingTypes.duration(Duration.ofMillis(1), DAY),
              "5s",
              "Answer UNAVAILABLE if OPA has not answered within this time.")
          .changeWhen("callers should fail sooner when OPA is down");

  public static final Setting<Boolean> OPA_FORWARD =
      IN.on(
              "opa-forward",
              "Send the caller's Authorization header to OPA as a header too. With --authn jwt it is"
                  + " never sent.")
          .changeWhen("OPA authenticates callers of its own API by that header");

  public static final Setting<Path> MESH_POLICY_FILE =
      IN.optional(
              "mesh-policy-file",
              SettingTypes.path("FILE"),
              "none: service accounts have only their own queues",
              "Mesh policy to start with. Policies that are put later are in memory only.")
          .changeWhen("the policy must be in force right after a start");

  public static final Setting<String> MESH_UPDATE_SUBJECT =
      IN.optional(
              "mesh-update-subject",
              SettingTypes.text("NAME"),
              "none",
              "The caller that may replace the mesh policy; it may also do what operators do:"
                  + " status, snapshots, backups and levels.")
          .changeWhen("you set `--authz mesh`");

  public static final Setting<Boolean> AUTHZ_ALL =
      IN.off(
              "authz-all",
              "Authorize names and statistics of queues and namespaces too. EntroQ's own server"
                  + " tells them to every caller.")
          .changeWhen("names of queues are confidential");

  /** The authorizers, by EntroQ's names. */
  public enum AuthorizerName {
    /** Allows everything. */
    NONE,
    /** An Open Policy Agent over HTTP. */
    OPAHTTP,
    /** A mesh policy, as EntroQ's Kubernetes operator writes it. */
    MESH
  }

  private AuthorizationSettings() {}

  /** Those of one authorizer only. */
  static List<Setting<?>> of(AuthorizerName authorizer) {
    return switch (authorizer) {
      case NONE -> List.of();
      case OPAHTTP -> List.of(OPA_URL, OPA_PATH, OPA_TIMEOUT, OPA_FORWARD);
      case MESH -> List.of(MESH_POLICY_FILE, MESH_UPDATE_SUBJECT);
    };
  }

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(
        AUTHZ,
        OPA_URL,
        OPA_PATH,
        OPA_TIMEOUT,
        OPA_FORWARD,
        MESH_POLICY_FILE,
        MESH_UPDATE_SUBJECT,
        AUTHZ_ALL);
  }
}
