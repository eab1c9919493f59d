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

  private static final int TOO_MANY = 429;
  private static final int UNPROCESSABLE = 422;

  private final UserFile users;
  private final SessionCookie cookie;
  private final Executor pool;
  private final PasswordCheck passwords = new PasswordCheck();
  private final LoginThrottle throttle = new LoginThrottle(System::nanoTime);

  /**
   * @param secret of cookies, at least 32 bytes
   * @param pool where pages are rendered
   */
  public FileLogin(UserFile users, byte[] secret, Executor pool) {
    this.users = users;
    this.pool = pool;
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
    router.openPage(PageSite.LOGIN, request -> page(request, 200, ""));
    router.openAction(PageSite.LOGIN, this::logIn);
    router.openAction(PageSite.LOGOUT, request -> logOut());
  }

  private static CompletionStage<PageResponse> page(
      PageRequest request, int status, String problem) {
    Frame frame = request.frame("Log in", Frame.Section.NONE);
    String next = next(request);
    String name = request.form().text("name");
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
    String address = request.source().remote().getAddress().getHostAddress();
    if (throttle.isBlocked("address " + address) || throttle.isBlocked("name " + name)) {
      return page(request, TOO_MANY, "Too many wrong passwords. Try again in a minute.");
    }
    if (password.getBytes(StandardCharsets.UTF_8).length > PasswordCheck.BYTES_MAX) {
      return page(request, UNPROCESSABLE, "A password has at most 72 bytes.");
    }
    Optional<UserEntry> user = users.find(name);
    CompletableFuture<Boolean> check;
    try {
      check = passwords.isOf(user, password);
    } catch (RejectedExecutionException e) {
      throw new PageException(
          503, Limit.CONSOLE_LOGINS.named("too many users log in; try again in a few seconds"));
    }
    return check.thenComposeAsync(
        isRight ->
            isRight ? loggedIn(request, user.orElseThrow()) : refused(request, name, address),
        pool);
  }

  private CompletionStage<PageResponse> loggedIn(PageRequest request, UserEntry user) {
    LOG.info("{} logged in to the console as {}.", user.name(), user.role().label());
    Session session = cookie.begin(user.name(), user.role(), user.name(), ISSUER, "{}");
    return CompletableFuture.completedFuture(
        PageResponse.seeOther(next(request))
            .with("set-cookie", cookie.header(session, user.line())));
  }

  private CompletionStage<PageResponse> refused(PageRequest request, String name, String address) {
    throttle.failed("address " + address);
    throttle.failed("name " + name);
    LOG.warn("A login to the console failed, from {}.", address);
    return page(request, UNPROCESSABLE, "The name or the password is wrong.");
  }

  private static CompletionStage<PageResponse> logOut() {
    return CompletableFuture.completedFuture(
        PageResponse.seeOther(PageUrls.to(PageSite.LOGIN))
            .with("set-cookie", SessionCookie.expired()));
  }

  @Override
  public void close() {
    passwords.close();
  }
}
