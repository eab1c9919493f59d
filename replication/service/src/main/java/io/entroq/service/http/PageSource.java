package io.entroq.service.http;

import io.entroq.service.call.CallContext;
import io.entroq.service.http.protocol.ApiResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Creates a page for people or monitoring on request. Any thread; does not block. */
@FunctionalInterface
public interface PageSource {
  /**
   * @param context of the request; its headers are valid only until this returns
   */
  CompletionStage<ApiResponse> page(CallContext context);

  /** A page that is always the same. */
  static PageSource of(ApiResponse page) {
    return context -> CompletableFuture.completedFuture(page);
  }
}
