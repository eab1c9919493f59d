package io.entroq.console.web;

import io.entroq.console.call.CallFailedException;
import io.entroq.console.user.Session;
import io.entroq.console.view.Frame;
import io.entroq.console.view.jte.JteerrorGenerated;
import io.entroq.service.http.Site;
import io.entroq.service.http.SiteRequest;
import io.entroq.service.http.protocol.ApiResponse;
import io.entroq.service.http.protocol.StatusCodes;
import io.entroq.service.translation.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers all requests of the console. Any thread. */
public final class PageSite implements Site {
  private static final Logger LOG = LoggerFactory.getLogger(PageSite.class);
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final int FORBIDDEN = 403;

  private final Router router;
  private final PagePool pool;
  private final Assets assets = new Assets();
  private final CsrfTokens tokens;
  private final Frames frames;

  /**
   * @param secret of tokens, at least 32 bytes
   * @param problems how many there are now; negative if nobody knows
   */
  public PageSite(Router router, PagePool pool, byte[] secret, IntSupplier problems) {
    this.router = router;
    this.pool = pool;
    tokens = new CsrfTokens(secret);
    frames = new Frames(assets, tokens, problems, false);
  }

  @Override
  public CompletionStage<ApiResponse> serve(SiteRequest request) {
    return CompletableFuture.supplyAsync(() -> answer(request), pool)
        .thenCompose(answer -> answer)
        .thenApply(
            page ->
                new ApiResponse(page.status(), page.contentType(), page.body(), page.headers()));
  }

  private CompletionStage<PageResponse> answer(SiteRequest request) {
    String path = request.path().substring(PageUrls.ROOT.length());
    Optional<PageResponse> asset = assets.find(path);
    if (asset.isPresent()) {
      return CompletableFuture.completedFuture(asset.get());
    }
    Session session = Session.LOCAL;
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
      throw new PageException(405, "pages are read with GET, and forms are sent with POST");
    }
    Route route =
        router
            .find(isPost, path)
            .orElseThrow(() -> PageException.notFound("There is no such page."));
    if (!session.user().role().includes(route.least())) {
      throw new PageException(
          FORBIDDEN,
          "%s is %s here; this takes %s"
              .formatted(
                  session.user().name(), session.user().role().label(), route.least().label()));
    }
    Parameters form = isPost ? form(request, session) : Parameters.NONE;
    boolean isFragment = request.headers().first("hx-request").isPresent();
    return route
        .handler()
        .respond(
            new PageRequest(
                path, Parameters.of(request.query()), form, session, isFragment, frames));
  }

  private Parameters form(SiteRequest request, Session session) {
    if (!request.mediaType().equals(Optional.of(FORM))) {
      throw new PageException(415, "a form is sent as " + FORM);
    }
    Parameters form = Parameters.of(new String(request.body(), StandardCharsets.UTF_8));
    if (!tokens.isOf(session, form.text("csrf"))) {
      throw new PageException(
          FORBIDDEN, "This form is too old, or it comes from elsewhere. Load its page again.");
    }
    return form;
  }

  private PageResponse errorPage(Session session, Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    Optional<Refusal> refusal = CallFailedException.refusalIn(cause);
    if (cause instanceof PageException page) {
      return errorPage(session, page.status(), page.getMessage());
    }
    if (refusal.isPresent()) {
      int status = StatusCodes.status(refusal.get().code());
      // A browser would ask for a password.
      return errorPage(session, status == 401 ? FORBIDDEN : status, refusal.get().message());
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
