package io.entroq.server.settings;

import io.entroq.api.Durability;
import io.entroq.engine.maintenance.HistoryPolicy;
import io.entroq.server.settings.AuthenticationSettings.AuthenticatorName;
import io.entroq.server.settings.AuthorizationSettings.AuthorizerName;
import io.entroq.server.settings.ConsoleSettings.LoginName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Checks settings against each other. */
public final class SettingsRules {
  private static final int MIB_BITS = 20;

  /** An upper bound on what a message has of a task besides its value. */
  private static final int TASK_BYTES = 64 << 10;

  /** Base64 encodes three bytes as four. */
  private static final int BASE64_FROM = 3;

  private static final int BASE64_TO = 4;

  /** Values of settings that are off. */
  private static final Set<Object> OFF = Set.of(false, 0L, HistoryPolicy.OFF);

  private SettingsRules() {}

  /**
   * Checks the settings of a server.
   *
   * @throws InvalidSettingException if they contradict each other
   */
  public static void check(Settings settings) {
    checkStore(settings);
    checkSnapshots(settings);
    checkGuards(settings);
  }

  /**
   * Checks the settings of a cluster member.
   *
   * @throws InvalidSettingException if they contradict each other
   */
  public static void checkNode(Settings settings) {
    MembershipRules.check(settings);
    checkGuards(settings);
  }

  /**
   * Checks what servers and members share: TLS, authentication, authorization, the console and
   * sizes.
   *
   * @throws InvalidSettingException if they contradict each other
   */
  public static void checkGuards(Settings settings) {
    checkTls(settings);
    checkAuthentication(settings);
    checkAuthorization(settings);
    checkConsole(settings);
    checkSizes(settings);
    checkLeases(settings);
  }

  private static void checkStore(Settings settings) {
    refuseBoth(settings, StoreSettings.DATA, StoreSettings.JOURNAL);
    if (hasDirectory(settings)) {
      return;
    }
    settings
        .find(StoreSettings.DURABILITY)
        .filter(level -> level != Durability.NONE)
        .ifPresent(
            level -> {
              throw new InvalidSettingException(
                  settings.nameOf(StoreSettings.DURABILITY)
                      + ": needs --data; without it the queue is in memory");
            });
    for (Setting<?> setting :
        List.of(
            StoreSettings.MKDIR,
            StoreSettings.PERIODIC_SNAPSHOT,
            StoreSettings.SNAPSHOT_AND_QUIT,
            StoreSettings.HISTORY,
            StoreSettings.JOURNAL_CLEANUP,
            StoreSettings.JOURNAL_MAX_ITEMS,
            StoreSettings.JOURNAL_MAX_BYTES)) {
      if (isEnabled(settings, setting)) {
        throw new InvalidSettingException(settings.nameOf(setting) + ": needs --data or --journal");
      }
    }
  }

  private static void checkSnapshots(Settings settings) {
    boolean isCleaning = settings.get(StoreSettings.JOURNAL_CLEANUP);
    boolean isQuitting = settings.get(StoreSettings.SNAPSHOT_AND_QUIT);
    if (isCleaning && !isQuitting && !settings.isSet(StoreSettings.PERIODIC_SNAPSHOT)) {
      throw new InvalidSettingException(
          settings.nameOf(StoreSettings.JOURNAL_CLEANUP)
              + ": needs --periodic-snapshot or --snapshot-and-quit");
    }
    if (isQuitting) {
      refuseBoth(settings, StoreSettings.PERIODIC_SNAPSHOT, StoreSettings.SNAPSHOT_AND_QUIT);
    }
    refuseBoth(settings, StoreSettings.PERIODIC_SNAPSHOT, StoreSettings.SNAPSHOT_INTERVAL);
  }

  private static void checkTls(Settings settings) {
    require(settings, TlsSettings.TLS_CERT, TlsSettings.TLS_KEY);
    require(settings, TlsSettings.TLS_KEY, TlsSettings.TLS_CERT);
    require(settings, TlsSettings.TLS_CLIENT_CA, TlsSettings.TLS_CERT);
  }

  /** A user who configures tokens means to require them. */
  private static void checkAuthentication(Settings settings) {
    if (settings.get(AuthenticationSettings.AUTHN) == AuthenticatorName.NONE) {
      refuseNonDefaults(
          settings,
          AuthenticationSettings.all(),
          "needs --authn jwt; without it callers need no token");
      return;
    }
    for (Setting<?> setting :
        List.of(AuthenticationSettings.AUTH_ISSUER, AuthenticationSettings.AUTH_AUDIENCE)) {
      require(settings, AuthenticationSettings.AUTHN, setting);
    }
    refuseBoth(
        settings, AuthenticationSettings.AUTH_JWKS_URL, AuthenticationSettings.AUTH_JWKS_FILE);
    if (!settings.isSet(AuthenticationSettings.AUTH_JWKS_URL)
        && !settings.isSet(AuthenticationSettings.AUTH_JWKS_FILE)) {
      throw new InvalidSettingException(
          settings.nameOf(AuthenticationSettings.AUTHN)
              + ": needs --auth-jwks-url or --auth-jwks-file");
    }
    for (Setting<?> setting :
        List.of(AuthenticationSettings.AUTH_JWKS_TOKEN_FILE, AuthenticationSettings.AUTH_CA_FILE)) {
      require(settings, setting, AuthenticationSettings.AUTH_JWKS_URL);
    }
  }

  private static void refuseNonDefaults(Settings settings, List<Setting<?>> dependent, String why) {
    for (Setting<?> setting : dependent) {
      if (isNonDefault(settings, setting)) {
        throw new InvalidSettingException(settings.nameOf(setting) + ": " + why);
      }
    }
  }

  /** A user who configures an authorizer means to use it; ignoring that would admit everybody. */
  private static void checkAuthorization(Settings settings) {
    AuthorizerName authorizer = settings.get(AuthorizationSettings.AUTHZ);
    for (AuthorizerName other : AuthorizerName.values()) {
      if (other != authorizer) {
        refuseNonDefaults(
            settings,
            AuthorizationSettings.of(other),
            "needs --authz " + other.name().toLowerCase(Locale.ROOT));
      }
    }
    if (authorizer == AuthorizerName.NONE) {
      refuseNonDefaults(
          settings,
          List.of(AuthorizationSettings.AUTHZ_ALL),
          "needs --authz opahttp or mesh; without it every caller may do everything");
    }
    if (authorizer == AuthorizerName.MESH) {
      require(settings, AuthorizationSettings.AUTHZ, AuthorizationSettings.MESH_UPDATE_SUBJECT);
      if (settings.get(AuthenticationSettings.AUTHN) == AuthenticatorName.NONE) {
        throw new InvalidSettingException(
            settings.nameOf(AuthorizationSettings.AUTHZ)
                + ": mesh needs --authn jwt; its policy knows callers with a token only");
      }
    }
  }

  /** Who configures a login means that nobody gets in without. */
  private static void checkConsole(Settings settings) {
    LoginName login = settings.get(ConsoleSettings.CONSOLE_LOGIN);
    if (login != LoginName.OIDC) {
      refuseNonDefaults(settings, ConsoleSettings.ofOidc(), "needs --console-login oidc");
    }
    if (login == LoginName.NONE) {
      refuseNonDefaults(
          settings, ConsoleSettings.ofLogins(), "needs --console-login; without it nobody logs in");
      return;
    }
    for (Setting<?> setting : neededBy(login)) {
      require(settings, ConsoleSettings.CONSOLE_LOGIN, setting);
    }
    boolean isEncrypted =
        settings.isSet(TlsSettings.TLS_CERT) || settings.isSet(ConsoleSettings.CONSOLE_URL);
    boolean isLocal =
        settings
            .find(ListeningSettings.HOST)
            .filter(host -> host.matches("localhost|127(\\.\\d+){3}|::1"))
            .isPresent();
    if (!isEncrypted && !isLocal) {
      throw new InvalidSettingException(
          settings.nameOf(ConsoleSettings.CONSOLE_LOGIN)
              + ": needs --tls-cert, or --console-url with the address of a proxy that encrypts;"
              + " passwords would be readable on their way");
    }
  }

  private static List<Setting<?>> neededBy(LoginName login) {
    return switch (login) {
      case NONE -> List.of();
      case FILE -> List.of(ConsoleSettings.CONSOLE_USERS_FILE);
      case CERT -> List.of(TlsSettings.TLS_CLIENT_CA);
      case OIDC ->
          List.of(ConsoleSettings.CONSOLE_OIDC_ISSUER, ConsoleSettings.CONSOLE_OIDC_CLIENT_ID);
    };
  }

  /** A value larger than a response could never be delivered, contract 1.11. */
  private static void checkSizes(Settings settings) {
    long value = settings.get(LimitSettings.VALUE_BYTES_MAX);
    long message = (long) settings.get(ListeningSettings.MAX_SIZE_MB) << MIB_BITS;
    long valueMax = (message - TASK_BYTES) / BASE64_TO * BASE64_FROM;
    if (value > valueMax) {
      throw new InvalidSettingException(
          ("%s: %,d bytes do not fit into a message of --max-size-mb %d, where values may be in"
                  + " base64; at most %,d bytes do")
              .formatted(
                  settings.nameOf(LimitSettings.VALUE_BYTES_MAX),
                  value,
                  settings.get(ListeningSettings.MAX_SIZE_MB),
                  valueMax));
    }
  }

  private static void checkLeases(Settings settings) {
    Duration floor = settings.get(LimitSettings.CLAIM_LEASE_FLOOR);
    Duration ceiling = settings.get(LimitSettings.CLAIM_LEASE_CEILING);
    if (floor.compareTo(ceiling) > 0) {
      throw new InvalidSettingException(
          "%s: %d ms is more than %s, %d ms"
              .formatted(
                  settings.nameOf(LimitSettings.CLAIM_LEASE_FLOOR),
                  floor.toMillis(),
                  settings.nameOf(LimitSettings.CLAIM_LEASE_CEILING),
                  ceiling.toMillis()));
    }
  }

  /** Warnings about settings without effect and unknown variables. */
  public static List<String> warnings(Settings settings) {
    List<String> warnings = new ArrayList<>();
    for (Setting<?> setting :
        List.of(
            StoreSettings.JOURNAL_CLEANUP,
            StoreSettings.JOURNAL_MAX_ITEMS,
            StoreSettings.JOURNAL_MAX_BYTES,
            CompatibilitySettings.READINESS_INTERVAL)) {
      if (isEnabled(settings, setting)) {
        warnings.add(
            "%s: accepted for compatibility, has no effect".formatted(settings.nameOf(setting)));
      }
    }
    settings.unknownVariables().forEach(name -> warnings.add(unknown(name)));
    return warnings;
  }

  private static String unknown(String variable) {
    return "%s: unknown setting%s"
        .formatted(
            variable,
            EnvironmentVariables.closest(variable).map("; did you mean %s?"::formatted).orElse(""));
  }

  private static boolean hasDirectory(Settings settings) {
    return settings.isSet(StoreSettings.DATA) || settings.isSet(StoreSettings.JOURNAL);
  }

  /** Whether it is set to something other than off or zero. */
  private static boolean isEnabled(Settings settings, Setting<?> setting) {
    return settings.isSet(setting)
        && settings.find(setting).filter(value -> !OFF.contains(value)).isPresent();
  }

  /** Whether it is set to something other than its default. */
  private static <T> boolean isNonDefault(Settings settings, Setting<T> setting) {
    Optional<T> byDefault =
        setting.defaultText().map(text -> setting.parse(text, new ValueSource.Default()));
    return settings.isSet(setting) && !settings.find(setting).equals(byDefault);
  }

  private static void require(Settings settings, Setting<?> setting, Setting<?> other) {
    if (settings.isSet(setting) && !settings.isSet(other)) {
      throw new InvalidSettingException(settings.nameOf(setting) + ": needs " + other.flags()[0]);
    }
  }

  private static void refuseBoth(Settings settings, Setting<?> setting, Setting<?> other) {
    if (settings.isSet(setting) && settings.isSet(other)) {
      throw new InvalidSettingException(
          "%s: cannot be combined with %s"
              .formatted(settings.nameOf(other), settings.nameOf(setting)));
    }
  }
}
