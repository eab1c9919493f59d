package io.entroq.server.settings;

import io.entroq.console.login.OidcConfig;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
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
                  + " --tls-client-ca asks for, whose e-mail address or common name is the user;"
                  + " oidc: at an identity provider, by OpenID Connect, see --console-oidc-issuer."
                  + " Needs --tls-cert or --console-url.")
          .changeWhen("people use the console from other machines");

  public static final Setting<Path> CONSOLE_USERS_FILE =
      IN.optional(
              "console-users-file",
              SettingTypes.path("FILE"),
              "none",
              "Users, one a line: NAME:HASH:ROLE. The hash is of bcrypt, or * for users"
                  + " without a password; the role is viewer, operator or admin. Users of other"
                  + " logins who are not there are viewers. `entroq console-user` makes a line. A changed file"
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

  public static final Setting<URI> CONSOLE_OIDC_ISSUER =
      IN.optional(
              "console-oidc-issuer",
              SettingTypes.url("URL"),
              "none",
              "The identity provider. https://, or http:// on this machine. Register URL"
                  + "/console/login/callback there, where URL is that of --console-url.")
          .changeWhen("you set `--console-login oidc`");

  public static final Setting<String> CONSOLE_OIDC_CLIENT_ID =
      IN.optional(
              "console-oidc-client-id",
              SettingTypes.text("NAME"),
              "none",
              "As which client the provider knows the console.")
          .changeWhen("you set `--console-login oidc`");

  public static final Setting<Path> CONSOLE_OIDC_SECRET_FILE =
      IN.optional(
              "console-oidc-secret-file",
              SettingTypes.path("FILE"),
              "none, a public client",
              "The secret of the client; read for each login.")
          .changeWhen("the provider gave you one");

  public static final Setting<String> CONSOLE_OIDC_SCOPES =
      IN.setting(
              "console-oidc-scopes",
              SettingTypes.text("NAMES"),
              OidcConfig.SCOPES,
              "What to ask the provider for, separated by blanks.")
          .changeWhen("roles or names need another scope");

  public static final Setting<String> CONSOLE_OIDC_USER_CLAIM =
      IN.setting(
              "console-oidc-user-claim",
              SettingTypes.text("CLAIM"),
              OidcConfig.USER_CLAIM,
              "The claim of ID tokens that names the user. An e-mail address that the provider has"
                  + " not verified is refused.")
          .changeWhen("authorizers know users by another name, such as sub");

  public static final Setting<String> CONSOLE_ROLE_CLAIM =
      IN.optional(
              "console-role-claim",
              SettingTypes.text("CLAIM"),
              "none: users are viewers, but those of --console-users-file",
              "The claim of ID tokens with the values of --console-operators and"
                  + " --console-admins, such as groups.")
          .changeWhen("the provider knows who may do what");

  public static final Setting<List<String>> CONSOLE_OPERATORS =
      IN.optional(
              "console-operators",
              SettingTypes.list(),
              "none",
              "Values of --console-role-claim that make a user an operator.")
          .changeWhen("you set `--console-role-claim`");

  public static final Setting<List<String>> CONSOLE_ADMINS =
      IN.optional(
              "console-admins",
              SettingTypes.list(),
              "none",
              "Values of --console-role-claim that make a user an admin.")
          .changeWhen("you set `--console-role-claim`");

  /** How users of the console log in. */
  public enum LoginName {
    /** They do not. */
    NONE,
    /** With a password. */
    FILE,
    /** With a certificate. */
    CERT,
    /** At an identity provider. */
    OIDC
  }

  private ConsoleSettings() {}

  /** Those that mean something only with a login. */
  static List<Setting<?>> ofLogins() {
    return List.of(CONSOLE_USERS_FILE, CONSOLE_URL, CONSOLE_SECRET_FILE, CONSOLE_MASK);
  }

  /** Those of the login at an identity provider. */
  static List<Setting<?>> ofOidc() {
    return List.of(
        CONSOLE_OIDC_ISSUER,
        CONSOLE_OIDC_CLIENT_ID,
        CONSOLE_OIDC_SECRET_FILE,
        CONSOLE_OIDC_SCOPES,
        CONSOLE_OIDC_USER_CLAIM,
        CONSOLE_ROLE_CLAIM,
        CONSOLE_OPERATORS,
        CONSOLE_ADMINS);
  }

  /** All of them, in the order of the help. */
  static List<Setting<?>> all() {
    List<Setting<?>> all = new ArrayList<>(List.of(CONSOLE, CONSOLE_LOGIN));
    all.addAll(ofLogins());
    all.addAll(ofOidc());
    return all;
  }
}
