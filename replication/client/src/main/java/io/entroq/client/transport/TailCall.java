package io.entroq.client.transport;

import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TailResponse;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;

/** A feed as a call of its own. */
final class TailCall extends ClientCall.Listener<TailResponse> implements Tail {
  private final ClientCall<TailRequest, TailResponse> call;
  private final CallCompletion end;
  private final TailReceiver receiver;

  TailCall(ClientCall<TailRequest, TailResponse> call, CallCompletion end, TailReceiver receiver) {
    this.call = call;
    this.end = end;
    this.receiver = receiver;
  }

  TailCall start(TailRequest request, Metadata headers) {
    call.start(this, headers);
    call.sendMessage(request);
    call.halfClose();
    return this;
  }

  @Override
  public void request(int responses) {
    call.request(responses);
  }

  @Override
  public void onMessage(TailResponse response) {
    // One comes each second, so the server need not be asked whether it is well.
    end.noteResponse();
    receiver.onResponse(response);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    end.notePosition(trailers);
    if (status.isOk()) {
      receiver.onEnd();
    } else {
      receiver.onFailure(end.failure(status, trailers, true));
    }
  }

  @Override
  public void cancel() {
    call.cancel("the feed has ended or continues at another server", null);
  }
}
