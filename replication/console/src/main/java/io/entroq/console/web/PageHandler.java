package io.entroq.console.web;

import java.util.concurrent.CompletionStage;

/**
 * Answers the requests of a route. Runs on the pool of the console, which has few threads: it
 * returns at once and leaves waiting to the future.
 */
@FunctionalInterface
public interface PageHandler {
  /**
   * Answers a request whose user has the role of the route. A POST has passed the checks of forms.
   *
   * @return may fail with a {@link PageException} or {@link
   *     io.entroq.console.call.CallFailedException}, which become pages
   */
  CompletionStage<PageResponse> respond(PageRequest request);
}
