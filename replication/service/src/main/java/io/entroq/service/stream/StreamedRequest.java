package io.entroq.service.stream;

import com.google.protobuf.MessageLite;
import io.entroq.codec.wire.edge.StreamResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import java.util.function.Function;

/**
 * A request as it was read.
 *
 * @param field of its response in a {@code StreamResponse}
 * @param isRepeatable whether it may be started again, with the same response
 * @param method starts it, each time it is called
 */
record StreamedRequest<S extends MessageLite>(
    int field, boolean isRepeatable, Function<Reply<S>, Call> method) {
  /** A request that is refused at once. */
  static StreamedRequest<MessageLite> refused(Refusal refusal) {
    return new StreamedRequest<>(
        StreamResponse.ERROR_FIELD_NUMBER,
        true,
        reply -> {
          reply.fail(refusal);
          return Call.done();
        });
  }

  OpenRequest<S> open(StreamSession session, long number) {
    return new OpenRequest<>(session, number, this);
  }
}
