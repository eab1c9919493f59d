package io.entroq.server.service.http;

import io.entroq.server.service.call.Headers;
import java.util.concurrent.CompletionStage;

/** Makes a page whenever it is asked for. Any thread; does not block. */
@FunctionalInterface
public interface PageSource {
  /**
   * The page as it is now.
   *
   * @param headers of whoever asks for it, to be read before this returns
   */
  CompletionStage<Page> page(Headers headers);
}
