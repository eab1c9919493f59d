package io.entroq.service.http;

import io.entroq.service.call.CallContext;
import java.util.concurrent.CompletionStage;

/** Makes a page on request. Any thread; does not block. */
@FunctionalInterface
public interface PageSource {
  /**
   * Makes the page.
   *
   * @param context of the request for it; its headers are to be read before this returns
   */
  CompletionStage<Page> page(CallContext context);
}
