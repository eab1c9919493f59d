package io.entroq.service.http;

import io.entroq.service.http.protocol.ApiResponse;
import java.util.concurrent.CompletionStage;

/**
 * Serves every request at and below a path, whatever its verb: pages for people. Any thread; does
 * not block.
 */
@FunctionalInterface
public interface Site {
  /** Answers a request, which may be read at any time. */
  CompletionStage<ApiResponse> serve(SiteRequest request);
}
