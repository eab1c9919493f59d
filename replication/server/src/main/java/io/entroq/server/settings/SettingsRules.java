package io.entroq.server.settings;

import io.entroq.api.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What cannot be told together, and what is of no use. */
public final class SettingsRules {
  private static final int MIB_BITS = 20;

  /** More than a message has of a task besides its value. */
  private static final int TASK_BYTES = 64 << 10;

  /** So many bytes become so many. */
  private static final int BASE64_FROM = 3;

  private static final int BASE64_TO = 4;

  private SettingsRules() {}

  /**
   * Returns if all can be done that was said to a server.
   *
   * @throws WrongSettingException if not
   */
  public static void check(Settings settings) {
    checkStore(settings);
    checkSnapshots(settings);
    checkGuards(settings);
  }

  /**
   * Returns if all can be done that was said to a node.
   *
   * @throws WrongSettingException if not
   */
  public static void checkNode(Settings settings) {
    MembershipRules.check(settings);
    checkGuards(settings);
  }

  /**
   * The part of it that concerns how callers come in, which is the same for both.
   *
   * @throws WrongSettingException if that cannot be done
   */
  public static void checkGuards(Settings settings) {
    checkTls(settings);
    checkAuthorization(settings);
    checkSizes(settings);
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
              throw new WrongSettingException(
                  settings.said(StoreSettings.DURABILITY) + ": nothing lasts without --data");
            });
    for (Setting<?> setting :
        List.of(
            StoreSettings.MKDIR,
            StoreSettings.PERIODIC_SNAPSHOT,
            StoreSettings.SNAPSHOT_AND_QUIT,
            StoreSettings.JOURNAL_CLEANUP,
            StoreSettings.JOURNAL_MAX_ITEMS,
            StoreSettings.JOURNAL_MAX_BYTES)) {
      if (says(settings, setting)) {
        throw new WrongSettingException(
            settings.said(setting) + ": of no use without --journal or --data");
      }
    }
  }

  private static void checkSnapshots(Settings settings) {
    boolean isCleaning = settings.get(StoreSettings.JOURNAL_CLEANUP);
    boolean isQuitting = settings.get(StoreSettings.SNAPSHOT_AND_QUIT);
    if (isCleaning && !isQuitting && !settings.isGiven(StoreSettings.PERIODIC_SNAPSHOT)) {
      throw new WrongSettingException(
          settings.said(StoreSettings.JOURNAL_CLEANUP)
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

  /** Whoever says where the agent is means that it is asked. */
  private static void checkAuthorization(Settings settings) {
    if (settings.get(AuthorizationSettings.AUTHZ) != AuthorizerName.NONE) {
      return;
    }
    for (Setting<?> setting : AuthorizationSettings.all()) {
      if (!setting.equals(AuthorizationSettings.AUTHZ) && isUnusual(settings, setting)) {
        throw new WrongSettingException(
            settings.said(setting)
                + ": of no use without --authz opahttp; everybody could do everything");
      }
    }
  }

  /** A value that is longer than answers may be is given to nobody, contract 1.11. */
  private static void checkSizes(Settings settings) {
    long value = settings.get(BoundSettings.VALUE_BYTES_MAX);
    long message = (long) settings.get(ListeningSettings.MAX_SIZE_MB) << MIB_BITS;
    long valueMax = (message - TASK_BYTES) / BASE64_TO * BASE64_FROM;
    if (value > valueMax) {
      throw new WrongSettingException(
          ("%s: %,d bytes do not fit into messages of --max-size-mb %d, where bytes may stand in"
                  + " base64; at most %,d do")
              .formatted(
                  settings.said(BoundSettings.VALUE_BYTES_MAX),
                  value,
                  settings.get(ListeningSettings.MAX_SIZE_MB),
                  valueMax));
    }
  }

  /** What to tell whoever has said what has no effect, or what nobody knows. */
  public static List<String> notes(Settings settings) {
    List<String> notes = new ArrayList<>();
    for (Setting<?> setting :
        List.of(
            StoreSettings.JOURNAL_CLEANUP,
            StoreSettings.JOURNAL_MAX_ITEMS,
            StoreSettings.JOURNAL_MAX_BYTES)) {
      if (says(settings, setting)) {
        notes.add("%s: %s".formatted(settings.said(setting), setting.effect()));
      }
    }
    settings.unknownVariables().forEach(name -> notes.add(unknown(name)));
    return notes;
  }

  private static String unknown(String variable) {
    return "%s: there is no such setting%s"
        .formatted(
            variable, Variables.nearest(variable).map("; did you mean %s?"::formatted).orElse(""));
  }

  private static boolean hasDirectory(Settings settings) {
    return settings.isGiven(StoreSettings.DATA) || settings.isGiven(StoreSettings.JOURNAL);
  }

  /** Whether somebody wants something of it. */
  private static boolean says(Settings settings, Setting<?> setting) {
    return settings.isGiven(setting)
        && settings
            .find(setting)
            .filter(value -> !value.equals(false) && !value.equals(0L))
            .isPresent();
  }

  /** Whether somebody wants it to be as it would not be anyway. */
  private static <T> boolean isUnusual(Settings settings, Setting<T> setting) {
    Optional<T> standard =
        setting.standard().map(text -> setting.read(text, new Source.Standard()));
    return settings.isGiven(setting) && !settings.find(setting).equals(standard);
  }

  private static void require(Settings settings, Setting<?> one, Setting<?> other) {
    if (settings.isGiven(one) && !settings.isGiven(other)) {
      throw new WrongSettingException(settings.said(one) + ": needs " + other.flags()[0]);
    }
  }

  private static void refuseBoth(Settings settings, Setting<?> one, Setting<?> other) {
    if (settings.isGiven(one) && settings.isGiven(other)) {
      throw new WrongSettingException(
          "%s: cannot be together with %s".formatted(settings.said(other), settings.said(one)));
    }
  }
}
