package io.entroq.console.web;

import io.entroq.console.call.CallFailedException;
import io.entroq.console.user.Role;
import io.entroq.console.user.Session;
import io.entroq.console.user.User;
import io.entroq.console.view.Frame;
import io.entroq.console.view.jte.JtecontinueGenerated;
import io.entroq.console.view.jte.JteerrorGenerated;
import io.entroq.service.http.Site;
import io.entroq.service.http.SiteRequest;
import io.entroq.service.http.protocol.ApiResponse;
import io.entroq.service.limit.Limit;
import io.entroq.service.translation.Refusal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers all requests of the console. Here, and nowhere else, it is decided who may send what: a
 * page sees only requests that have passed. Any thread.
 */
public final class PageSite implements Site {
  /** Where forms to log out are sent. */
  public static final String LOGOUT = "/logout";

  /** Where users log in. */
  public static final String LOGIN = "/login";

  private static final Logger LOG = LoggerFactory.getLogger(PageSite.class);
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final int FORM_BYTES_MAX = 2 << 20;
  private static final int FORBIDDEN = 403;

  private final Router router;
  private final PagePool pool;
  private final Login login;
  private final Assets assets = new Assets();
  private final CsrfTokens tokens;
  private final Frames frames;
  private final RequestGuard guard;
  private final AtomicInteger pending = new AtomicInteger();

  /**
   * @param login its pages are among the routes
   * @param secret of tokens, at least 32 bytes
   * @param url where browsers find the server, if that is not where it listens
   */
  public PageSite(Router router, PagePool pool, Login login, byte[] secret, Optional<URI> url) {
    this.router = router;
    this.pool = pool;
    this.login = login;
    tokens = new CsrfTokens(secret);
    frames = new Frames(router, assets, tokens);
    guard = new RequestGuard(login.isRequired(), url);
  }

  @Override
  public CompletionStage<ApiResponse> serve(SiteRequest request) {
    if (pending.incrementAndGet() > Limit.CONSOLE_PAGES.standard()) {
      pending.decrementAndGet();
      return CompletableFuture.completedFuture(
          response(
              PageResponse.text(
                  503, Limit.CONSOLE_PAGES.named("the console has too much to do; try again"))));
    }
    CompletionStage<PageResponse> answer;
    try {
      answer = CompletableFuture.supplyAsync(() -> answer(request), pool).thenCompose(page -> page);
    } catch (RejectedExecutionException e) {
      answer = CompletableFuture.completedFuture(PageResponse.text(503, "the console has ended"));
    }
    return answer
        .whenComplete((page, failure) -> pending.decrementAndGet())
        .thenApply(PageSite::response);
  }

  private static ApiResponse response(PageResponse page) {
    return new ApiResponse(
        page.status(), page.contentType(), page.body(), SecurityHeaders.with(page.headers()));
  }

  private CompletionStage<PageResponse> answer(SiteRequest request) {
    try {
      guard.check(request);
    } catch (PageException e) {
      // Without links, which lead nowhere from where this is refused.
      return CompletableFuture.completedFuture(PageResponse.text(e.status(), e.getMessage()));
    }
    String path = request.path().substring(PageUrls.ROOT.length());
    if (path.endsWith("/")) {
      return CompletableFuture.completedFuture(
          PageResponse.seeOther(
              here(request.path().substring(0, request.path().length() - 1), request.query())));
    }
    Optional<PageResponse> asset = assets.find(path);
    if (asset.isPresent()) {
      return CompletableFuture.completedFuture(asset.get());
    }
    Session session = login.session(request).orElse(Session.NONE);
    CompletionStage<PageResponse> answer;
    try {
      answer = answer(request, path, session);
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return answer.exceptionally(failure -> errorPage(session, failure));
  }

  private CompletionStage<PageResponse> answer(SiteRequest request, String path, Session session) {
    boolean isPost = request.verb().equals("POST");
    if (!isPost && !request.verb().equals("GET") && !request.verb().equals("HEAD")) {
      throw new PageException(405, "Pages are read with GET, and forms are sent with POST.");
    }
    Optional<Route> route = router.find(isPost, path);
    boolean isOpen = route.isPresent() && route.get().least().isEmpty();
    if (session.equals(Session.NONE) && !isOpen) {
      return CompletableFuture.completedFuture(askToLogIn(request, isPost));
    }
    Route found = route.orElseThrow(() -> PageException.notFound("There is no such page."));
    found.least().ifPresent(least -> requireRole(session.user(), least));
    boolean isFragment = request.headers().first("hx-request").isPresent();
    Parameters form = isPost ? form(request, session, isOpen) : Parameters.NONE;
    return found
        .handler()
        .respond(
            new PageRequest(
                request, path, Parameters.of(request.query()), form, session, isFragment, frames));
  }

  private static void requireRole(User user, Role least) {
    if (!user.role().includes(least)) {
      throw new PageException(
          FORBIDDEN,
          "Your role is %s. This needs %s.".formatted(user.role().label(), least.label()));
    }
  }

  private static String here(String path, String query) {
    return query.isEmpty() ? path : path + "?" + query;
  }

  private PageResponse askToLogIn(SiteRequest request, boolean isPost) {
    if (router.find(false, LOGIN).isEmpty()) {
      throw new PageException(FORBIDDEN, "This console asks for a certificate, and you sent none.");
    }
    if (isPost) {
      throw new PageException(FORBIDDEN, "You are not logged in any more. Nothing was done.");
    }
    if (request.headers().first("hx-request").isPresent()) {
      // The whole page is loaded again, which then leads to the login.
      return PageResponse.text(200, "").with("hx-refresh", "true");
    }
    String here = here(request.path(), request.query());
    boolean isFromElsewhere =
        request
            .headers()
            .first("sec-fetch-site")
            .filter(site -> site.equals("cross-site") || site.equals("same-site"))
            .isPresent();
    if (isFromElsewhere) {
      // Browsers send the cookie only for requests that begin at our own pages, as the next one.
      Frame frame = frames.frame(Session.NONE, "Continue", Frame.Section.NONE, false);
      return PageResponse.html(out -> JtecontinueGenerated.render(out, null, frame, here));
    }
    return PageResponse.seeOther(PageUrls.to(LOGIN, "next", here));
  }

  private Parameters form(SiteRequest request, Session session, boolean isOpen) {
    if (!request.mediaType().equals(Optional.of(FORM))) {
      throw new PageException(415, "A form is sent as " + FORM + ".");
    }
    if (request.body().length > FORM_BYTES_MAX) {
      throw new PageException(413, "This form has more than 2 MiB.");
    }
    Parameters form = Parameters.of(new String(request.body(), StandardCharsets.UTF_8));
    if (!isOpen && !tokens.isOf(session, form.text("csrf"))) {
      throw new PageException(
          FORBIDDEN, "This form is too old, or it comes from elsewhere. Load its page again.");
    }
    return form;
  }

  private PageResponse errorPage(Session session, Throwable failure) {
    Throwable cause = CallFailedException.cause(failure);
    if (cause instanceof PageException page) {
      return errorPage(session, page.status(), page.getMessage());
    }
    Optional<Refusal> refusal = CallFailedException.refusalIn(cause);
    if (refusal.isPresent()) {
      return errorPage(session, PageException.statusOf(refusal.get()), refusal.get().message());
    }
    LOG.error("A page failed because of an internal error.", cause);
    return errorPage(session, 500, "This is a defect; the server's log says more.");
  }

  private PageResponse errorPage(Session session, int status, String text) {
    Frame frame = frames.frame(session, "Error", Frame.Section.NONE, false);
    return PageResponse.html(
        status, out -> JteerrorGenerated.render(out, null, frame, status, text));
  }
}
