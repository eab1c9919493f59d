package io.entroq.server.settings;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** Settings of the console. */
public final class ConsoleSettings {
  private static final Section IN = Section.CONSOLE;

  public static final Setting<Boolean> CONSOLE =
      IN.on(
              "console",
              "Serve the console, pages that show and operate the queue, at /console of the HTTP"
                  + " port. Without --console-login it answers callers on this machine only, by the"
                  + " name localhost, and lets them do what an anonymous caller may.")
          .changeWhen("nobody should have it, as where many users share the machine");

  public static final Setting<LoginName> CONSOLE_LOGIN =
      IN.setting(
              "console-login",
              SettingTypes.choice("KIND", LoginName.class),
              "none",
              "How users log in, so that the console answers everybody. none: they do not; file:"
                  + " with a password, see --console-users-file; cert: with the certificate that"
                  + " --tls-client-ca asks for, whose e-mail address or common name is the user."
                  + " Needs --tls-cert or --console-url.")
          .changeWhen("people use the console from other machines");

  public static final Setting<Path> CONSOLE_USERS_FILE =
      IN.optional(
              "console-users-file",
              SettingTypes.path("FILE"),
              "none",
              "Users, one a line: NAME:HASH:ROLE. The hash is of bcrypt, or * for users of"
                  + " certificates; the role is viewer, operator or admin. Users of certificates who"
                  + " are not there are viewers. `entroq console-user` makes a line. A changed file"
                  + " is read again.")
          .changeWhen("you set `--console-login`");

  public static final Setting<URI> CONSOLE_URL =
      IN.optional(
              "console-url",
              SettingTypes.url("URL"),
              "where the server listens",
              "Where browsers find the server behind a proxy, such as https://queue.example.com."
                  + " Requests for another host are refused.")
          .changeWhen("a proxy encrypts, or you want one name only");

  public static final Setting<Path> CONSOLE_SECRET_FILE =
      IN.optional(
              "console-secret-file",
              SettingTypes.path("FILE"),
              "a random secret for each process",
              "At least 32 bytes that sign sessions. With the same file on all members, a user"
                  + " who has logged in at one is logged in at all, also after a restart.")
          .changeWhen("you set `--console-login file` for a cluster");

  public static final Setting<List<String>> CONSOLE_MASK =
      IN.optional(
              "console-mask",
              SettingTypes.list(),
              "nothing is hidden",
              "JSON pointers to what viewers do not see of values, such as /card/number or"
                  + " /users/*/email, separated by commas, or by repeating the flag. Values that are"
                  + " not JSON are then hidden from viewers as a whole. Error texts are not.")
          .changeWhen("values hold what not everybody may read");

  /** How users of the console log in. */
  public enum LoginName {
    /** They do not. */
    NONE,
    /** With a password. */
    FILE,
    /** With a certificate. */
    CERT
  }

  private ConsoleSettings() {}

  /** Those that mean something only with a login. */
  static List<Setting<?>> ofLogins() {
    return List.of(CONSOLE_USERS_FILE, CONSOLE_URL, CONSOLE_SECRET_FILE, CONSOLE_MASK);
  }

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    return List.of(
        CONSOLE, CONSOLE_LOGIN, CONSOLE_USERS_FILE, CONSOLE_URL, CONSOLE_SECRET_FILE, CONSOLE_MASK);
  }
}
