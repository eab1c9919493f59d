package io.entroq.engine.embedded;

import java.time.Instant;

/** Asks for the log time. */
final class TimeRequest extends Request<Instant> {
  TimeRequest() {
    super(RequestKind.TIME);
  }

  @Override
  long bytesAtLeast() {
    return 0;
  }

  @Override
  int encode(RequestSlot slot) {
    return 0;
  }

  @Override
  Instant answer(ReplyReader reply) {
    return Instant.ofEpochMilli(reply.logTimeMs());
  }
}
