package io.entroq.console;

import io.entroq.console.call.AdminCalls;
import io.entroq.console.call.ServiceCalls;
import io.entroq.console.screen.ScreenParts;
import io.entroq.console.screen.Screens;
import io.entroq.console.web.PagePool;
import io.entroq.console.web.PageSite;
import io.entroq.console.web.Router;
import io.entroq.service.http.Site;
import java.security.SecureRandom;

/** The console of a queue. Close it before the service. Any thread. */
public final class Console implements AutoCloseable {
  private static final int SECRET_BYTES = 32;

  private final PagePool pool = new PagePool();
  private final PageSite site;

  private Console(ConsoleParts parts) {
    Router router = new Router();
    Screens.addTo(
        router,
        new ScreenParts(
            new ServiceCalls(parts.service(), pool),
            new AdminCalls(parts.admin(), pool),
            parts.description()));
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    site = new PageSite(router, pool, secret, () -> -1);
  }

  /** Starts a console, which needs to be mounted. */
  public static Console of(ConsoleParts parts) {
    return new Console(parts);
  }

  /** What answers at {@link io.entroq.console.web.PageUrls#ROOT}. */
  public Site site() {
    return site;
  }

  @Override
  public void close() {
    pool.close();
  }
}
