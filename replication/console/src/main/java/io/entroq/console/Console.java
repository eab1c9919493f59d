package io.entroq.console;

import io.entroq.console.call.AdminCalls;
import io.entroq.console.call.ServiceCalls;
import io.entroq.console.login.CertificateLogin;
import io.entroq.console.login.FileLogin;
import io.entroq.console.login.LocalLogin;
import io.entroq.console.login.LoginException;
import io.entroq.console.login.OidcLogin;
import io.entroq.console.login.UserFile;
import io.entroq.console.screen.ScreenParts;
import io.entroq.console.screen.Screens;
import io.entroq.console.value.ValueMask;
import io.entroq.console.web.Login;
import io.entroq.console.web.PagePool;
import io.entroq.console.web.PageSite;
import io.entroq.console.web.Router;
import io.entroq.service.http.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;

/** The console of a queue. Close it before the service. Any thread. */
public final class Console implements AutoCloseable {
  private static final int SECRET_BYTES_MIN = 32;

  private final PagePool pool = new PagePool();
  private final Login login;
  private final Screens screens;
  private final PageSite site;

  private Console(ConsoleParts parts, ConsoleConfig config) throws LoginException {
    byte[] secret = secret(config);
    login = login(config, secret, pool);
    Router router = new Router();
    login.addTo(router);
    screens =
        Screens.addTo(
            router,
            new ScreenParts(
                new ServiceCalls(parts.service(), pool),
                new AdminCalls(parts.admin(), pool),
                pool,
                ValueMask.of(config.mask()),
                parts.description()));
    site = new PageSite(router, pool, login, secret, config.url());
  }

  /**
   * Starts a console, which needs to be mounted.
   *
   * @throws LoginException if users could not log in as it is configured; the message says why
   */
  public static Console of(ConsoleParts parts, ConsoleConfig config) throws LoginException {
    return new Console(parts, config);
  }

  private static Login login(ConsoleConfig config, byte[] secret, PagePool pool)
      throws LoginException {
    Optional<UserFile> users =
        config.usersFile().isPresent()
            ? Optional.of(new UserFile(config.usersFile().get()))
            : Optional.empty();
    return switch (config.login()) {
      case NONE -> new LocalLogin();
      case FILE -> new FileLogin(users.orElseThrow(), secret, pool, config.url().isPresent());
      case CERT -> new CertificateLogin(users);
      case OIDC -> new OidcLogin(config.oidc().orElseThrow(), users, secret, config.url(), pool);
    };
  }

  private static byte[] secret(ConsoleConfig config) throws LoginException {
    if (config.secretFile().isEmpty()) {
      byte[] random = new byte[SECRET_BYTES_MIN];
      new SecureRandom().nextBytes(random);
      return random;
    }
    Path file = config.secretFile().get();
    byte[] secret;
    try {
      secret = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new LoginException("cannot read the secret of the console: " + e);
    }
    if (secret.length < SECRET_BYTES_MIN) {
      throw new LoginException(
          "%s has %d bytes; a secret of the console has at least %d, such as those of: openssl rand"
                  .formatted(file, secret.length, SECRET_BYTES_MIN)
              + " 32");
    }
    return secret;
  }

  /** What answers at {@link io.entroq.console.web.PageUrls#ROOT}. */
  public Site site() {
    return site;
  }

  @Override
  public void close() {
    screens.close();
    login.close();
    pool.close();
  }
}
