package io.entroq.service.http;

import io.entroq.service.call.CallContext;
import io.entroq.service.http.protocol.ApiResponse;
import java.util.concurrent.CompletionStage;

/** Takes documents that callers put at a path. Any thread; does not block. */
@FunctionalInterface
public interface UploadTarget {
  /**
   * @param context of the request; its headers are valid only until this returns
   * @param document the body, not copied
   */
  CompletionStage<ApiResponse> put(CallContext context, byte[] document);
}
