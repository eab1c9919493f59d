package io.entroq.spring;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import org.springframework.beans.factory.ObjectProvider;

/** Adds traces or metrics to the queue of an application. */
interface QueueDecorator {
  /** The same queue, of which what goes through what is returned has them, and has them once. */
  EntroQ on(EntroQ queue);

  /** An insert that goes to the queue some other way, with the trace of the current span. */
  default Insert traced(Insert insert) {
    return insert;
  }

  /** Adds everything that there is. */
  static EntroQ all(ObjectProvider<QueueDecorator> decorators, EntroQ queue) {
    EntroQ decorated = queue;
    for (QueueDecorator decorator : decorators) {
      decorated = decorator.on(decorated);
    }
    return decorated;
  }

  /** {@link #traced(Insert)} by everything that there is. */
  static Insert traced(ObjectProvider<QueueDecorator> decorators, Insert insert) {
    Insert traced = insert;
    for (QueueDecorator decorator : decorators) {
      traced = decorator.traced(traced);
    }
    return traced;
  }
}
