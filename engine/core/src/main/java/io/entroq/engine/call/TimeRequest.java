package io.entroq.engine.call;

import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestSlot;
import java.time.Instant;

/** Reads the log time. */
public final class TimeRequest extends ApiRequest<Instant> {
  public TimeRequest() {
    super(RequestKind.TIME);
  }

  @Override
  public long bytesAtLeast() {
    return 0;
  }

  @Override
  public int encode(RequestSlot slot) {
    return 0;
  }

  @Override
  public Instant answer(ReplyReader reply) {
    return Instant.ofEpochMilli(reply.logTimeMs());
  }
}
