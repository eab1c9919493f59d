package io.entroq.console.login;

import io.entroq.console.user.Session;
import io.entroq.console.view.Frame;
import io.entroq.console.view.jte.JteloginGenerated;
import io.entroq.console.web.Login;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageRequest;
import io.entroq.console.web.PageResponse;
import io.entroq.console.web.PageSite;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Router;
import io.entroq.service.http.SiteRequest;
import io.entroq.service.limit.Limit;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Users log in with a password that a file has the hash of. Any thread. */
public final class FileLogin implements Login {
  private static final Logger LOG = LoggerFactory.getLogger(FileLogin.class);

  /** Who vouches for the users of a file, to authorizers. */
  private static final String ISSUER = "entroq-console";

  /** The longest name that a file may have. */
  private static final int NAME_CHARS_MAX = 64;

  private static final int TOO_MANY = 429;
  private static final int UNPROCESSABLE = 422;

  private final UserFile users;
  private final SessionCookie cookie;
  private final Executor pool;
  private final boolean isBehindProxy;
  private final PasswordCheck passwords = new PasswordCheck();
  private final LoginThrottle throttle = new LoginThrottle(System::nanoTime);

  /**
   * @param secret of cookies, at least 32 bytes
   * @param pool where pages are rendered
   * @param isBehindProxy whether a connection without TLS is that of a proxy
   */
  public FileLogin(UserFile users, byte[] secret, Executor pool, boolean isBehindProxy) {
    this.users = users;
    this.pool = pool;
    this.isBehindProxy = isBehindProxy;
    cookie = new SessionCookie(secret, System::currentTimeMillis);
  }

  @Override
  public boolean isRequired() {
    return true;
  }

  @Override
  public Optional<Session> session(SiteRequest request) {
    String cookies = request.headers().first("cookie").orElse("");
    return cookie.read(cookies, name -> users.find(name).map(UserEntry::line));
  }

  @Override
  public void addTo(Router router) {
    router.openPage(PageSite.LOGIN, request -> page(request, 200, "", ""));
    router.openAction(PageSite.LOGIN, this::logIn);
    router.openAction(PageSite.LOGOUT, SessionCookie::logOut);
  }

  private static CompletionStage<PageResponse> page(
      PageRequest request, int status, String name, String problem) {
    Frame frame = request.frame("Log in", Frame.Section.NONE);
    String next = next(request);
    return CompletableFuture.completedFuture(
        PageResponse.html(
            status, out -> JteloginGenerated.render(out, null, frame, next, name, problem)));
  }

  /** Where to go after the login, which is never another site. */
  private static String next(PageRequest request) {
    String next = request.form().find("next").orElse(request.parameters().text("next"));
    return PageUrls.isPage(next) ? next : PageUrls.ROOT;
  }

  private CompletionStage<PageResponse> logIn(PageRequest request) {
    String name = request.form().text("name").strip();
    String password = request.form().text("password");
    if (name.length() > NAME_CHARS_MAX
        || password.getBytes(StandardCharsets.UTF_8).length > PasswordCheck.BYTES_MAX) {
      // Before anything is remembered of it: a form has up to 2 MiB.
      return wrong(request, "");
    }
    List<String> keys = keys(request, name);
    if (!throttle.begin(keys)) {
      return page(request, TOO_MANY, name, "Too many wrong passwords. Try again in a minute.");
    }
    Optional<UserEntry> user = users.find(name);
    CompletableFuture<Boolean> check;
    try {
      check = passwords.isOf(user, password);
    } catch (RejectedExecutionException e) {
      throttle.undo(keys);
      throw new PageException(
          503, Limit.CONSOLE_LOGINS.named("too many users log in; try again in a few seconds"));
    }
    return check.thenComposeAsync(
        isRight -> {
          if (!isRight) {
            LOG.warn("A login to the console failed, from {}.", address(request));
            return wrong(request, name);
          }
          throttle.undo(keys);
          return loggedIn(request, user.orElseThrow());
        },
        pool);
  }

  private static CompletionStage<PageResponse> wrong(PageRequest request, String name) {
    return page(request, UNPROCESSABLE, name, "The name or the password is wrong.");
  }

  /** What may not fail too often. All users of a proxy have its address. */
  private List<String> keys(PageRequest request, String name) {
    return isBehindProxy && !request.source().isTls()
        ? List.of("name " + name)
        : List.of("address " + address(request), "name " + name);
  }

  private static String address(PageRequest request) {
    return request.source().remote().getAddress().getHostAddress();
  }

  private CompletionStage<PageResponse> loggedIn(PageRequest request, UserEntry user) {
    LOG.info("{} logged in to the console as {}.", user.name(), user.role().label());
    Session session = cookie.begin(user.name(), user.role(), user.name(), ISSUER, "{}");
    return CompletableFuture.completedFuture(
        PageResponse.seeOther(next(request))
            .with("set-cookie", cookie.header(session, user.line())));
  }

  @Override
  public void close() {
    passwords.close();
  }
}
