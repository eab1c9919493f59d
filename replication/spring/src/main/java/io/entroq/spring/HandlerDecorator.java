package io.entroq.spring;

import io.entroq.api.worker.Handler;

/** Sees what listeners do. */
interface HandlerDecorator {
  /** The handler of a listener that is about to start. */
  Handler<Object> decorate(RunningListener listener, Handler<Object> handler);
}
