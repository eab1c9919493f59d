package io.entroq.server.service.http;

import java.util.concurrent.CompletionStage;

/** Makes a page whenever it is asked for. Any thread; does not block. */
@FunctionalInterface
public interface PageSource {
  /** The page as it is now. */
  CompletionStage<Page> page();
}
