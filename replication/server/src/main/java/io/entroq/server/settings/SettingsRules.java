package io.entroq.server.settings;

import io.entroq.api.Durability;
import java.util.ArrayList;
import java.util.List;

/** What cannot be told together, and what is of no use. */
public final class SettingsRules {
  private SettingsRules() {}

  /**
   * Returns if all can be done that was said.
   *
   * @throws WrongSettingException if not
   */
  public static void check(Settings settings) {
    checkStore(settings);
    checkSnapshots(settings);
    checkTls(settings);
  }

  private static void checkStore(Settings settings) {
    refuseBoth(settings, ServerSettings.DATA, ServerSettings.JOURNAL);
    if (hasDirectory(settings)) {
      return;
    }
    settings
        .find(ServerSettings.DURABILITY)
        .filter(level -> level != Durability.NONE)
        .ifPresent(
            level -> {
              throw new WrongSettingException(
                  settings.said(ServerSettings.DURABILITY) + ": nothing lasts without --data");
            });
    for (Setting<?> setting :
        List.of(
            ServerSettings.MKDIR,
            ServerSettings.PERIODIC_SNAPSHOT,
            ServerSettings.SNAPSHOT_AND_QUIT,
            ServerSettings.JOURNAL_CLEANUP,
            ServerSettings.JOURNAL_MAX_ITEMS,
            ServerSettings.JOURNAL_MAX_BYTES)) {
      if (says(settings, setting)) {
        throw new WrongSettingException(
            settings.said(setting) + ": of no use without --journal or --data");
      }
    }
  }

  private static void checkSnapshots(Settings settings) {
    boolean isCleaning = settings.get(ServerSettings.JOURNAL_CLEANUP);
    boolean isQuitting = settings.get(ServerSettings.SNAPSHOT_AND_QUIT);
    if (isCleaning && !isQuitting && !settings.isGiven(ServerSettings.PERIODIC_SNAPSHOT)) {
      throw new WrongSettingException(
          settings.said(ServerSettings.JOURNAL_CLEANUP)
              + ": needs --periodic-snapshot or --snapshot-and-quit");
    }
    if (isQuitting) {
      refuseBoth(settings, ServerSettings.PERIODIC_SNAPSHOT, ServerSettings.SNAPSHOT_AND_QUIT);
    }
    refuseBoth(settings, ServerSettings.PERIODIC_SNAPSHOT, ServerSettings.SNAPSHOT_INTERVAL);
  }

  private static void checkTls(Settings settings) {
    require(settings, ServerSettings.TLS_CERT, ServerSettings.TLS_KEY);
    require(settings, ServerSettings.TLS_KEY, ServerSettings.TLS_CERT);
    require(settings, ServerSettings.TLS_CLIENT_CA, ServerSettings.TLS_CERT);
  }

  /** What to tell whoever has said what has no effect. */
  public static List<String> notes(Settings settings) {
    List<String> notes = new ArrayList<>();
    for (Setting<?> setting :
        List.of(
            ServerSettings.JOURNAL_CLEANUP,
            ServerSettings.JOURNAL_MAX_ITEMS,
            ServerSettings.JOURNAL_MAX_BYTES)) {
      if (says(settings, setting)) {
        notes.add("%s: %s".formatted(settings.said(setting), setting.effect()));
      }
    }
    return notes;
  }

  private static boolean hasDirectory(Settings settings) {
    return settings.isGiven(ServerSettings.DATA) || settings.isGiven(ServerSettings.JOURNAL);
  }

  /** Whether somebody wants something of it. */
  private static boolean says(Settings settings, Setting<?> setting) {
    return settings.isGiven(setting)
        && settings
            .find(setting)
            .filter(value -> !value.equals(false) && !value.equals(0L))
            .isPresent();
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
