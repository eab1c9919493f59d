package io.entroq.server.service.grpc;

import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.entroq.server.service.call.Call;
import io.entroq.server.service.call.StreamReply;
import io.entroq.server.service.edge.Facade;
import io.entroq.server.service.edge.RefusedException;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/**
 * One method as gRPC serves it.
 *
 * @param parser reads requests
 * @param response any response
 * @param handler does what a request asks
 */
record GrpcMethod<R, S extends Message>(Parser<R> parser, S response, Handler<R, S> handler) {
  /** Does what a request asks. */
  @FunctionalInterface
  interface Handler<R, S> {
    Call handle(R request, StreamReply<S> reply);
  }

  /** The method under the name that it is published by. */
  ServerMethodDefinition<Incoming, S> define(
      Descriptors.MethodDescriptor published, Facade facade) {
    boolean isUnary = !published.isServerStreaming();
    MethodDescriptor<Incoming, S> descriptor =
        MethodDescriptor.<Incoming, S>newBuilder(
                new IncomingMarshaller(), ProtoUtils.marshaller(response))
            .setType(isUnary ? MethodType.UNARY : MethodType.SERVER_STREAMING)
            .setFullMethodName(
                MethodDescriptor.generateFullMethodName(
                    published.getService().getFullName(), published.getName()))
            .build();
    ServerCallHandler<Incoming, S> calls =
        isUnary
            ? ServerCalls.asyncUnaryCall((request, call) -> serve(facade, true, request, call))
            : ServerCalls.asyncServerStreamingCall(
                (request, call) -> serve(facade, false, request, call));
    return ServerMethodDefinition.create(descriptor, calls);
  }

  private void serve(Facade facade, boolean isUnary, Incoming request, StreamObserver<S> observer) {
    ServerCallStreamObserver<S> transport = (ServerCallStreamObserver<S>) observer;
    GrpcReply<S> reply = new GrpcReply<>(facade, transport, isUnary);
    CallEvents events = new CallEvents();
    transport.setOnCancelHandler(events::onCancel);
    transport.setOnCloseHandler(events::onClose);
    transport.setOnReadyHandler(events::onReady);
    try {
      events.listenFor(handler.handle(request.read(parser), reply));
    } catch (RefusedException e) {
      reply.fail(e.refusal());
    }
  }

  /**
   * Passes on what the transport tells of a call, which it does one after the other, and not before
   * the call has begun.
   */
  private static final class CallEvents {
    private volatile Call call = Call.done();

    void listenFor(Call begun) {
      call = begun;
    }

    void onCancel() {
      call.cancel();
    }

    void onClose() {
      call.delivered();
    }

    void onReady() {
      call.ready();
    }
  }
}
