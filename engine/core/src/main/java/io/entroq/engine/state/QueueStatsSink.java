package io.entroq.engine.state;

import org.agrona.DirectBuffer;

/** Takes the statistics of queues, on the thread that owns the state machine. */
public interface QueueStatsSink {

  /** A queue; the name is valid only inside the call. */
  void onQueue(DirectBuffer name, int offset, int length, QueueFigures figures);
}
