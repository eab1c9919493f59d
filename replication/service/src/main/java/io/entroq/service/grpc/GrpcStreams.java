package io.entroq.service.grpc;

import com.google.protobuf.Descriptors;
import io.entroq.codec.wire.published.stream.PublishedStreamProto;
import io.entroq.engine.gateway.Gateway;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Headers;
import io.entroq.service.call.Protocol;
import io.entroq.service.call.Service;
import io.entroq.service.stream.OpenStreams;
import io.entroq.service.stream.StreamLimits;
import io.entroq.service.stream.StreamMessage;
import io.entroq.service.stream.StreamSession;
import io.entroq.service.translation.RefusedException;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import java.util.List;
import java.util.OptionalLong;

/** Serves request streams over gRPC, in addition to the methods of the v1 API. */
final class GrpcStreams {
  private static final String TRANSPORT = "stream";
  private static final Descriptors.ServiceDescriptor PUBLISHED =
      PublishedStreamProto.getDescriptor().findServiceByName("Stream");

  private final Service service;
  private final Gateway gateway;
  private final OpenStreams streams;
  private final SlowReaders readers;
  private final StreamLimits limits;

  /**
   * @param service of the v1 API
   * @param streams gets the open streams
   * @param readers watches for slow readers
   */
  GrpcStreams(
      Service service,
      Gateway gateway,
      OpenStreams streams,
      SlowReaders readers,
      GrpcServerConfig config) {
    this.service = service;
    this.gateway = gateway;
    this.streams = streams;
    this.readers = readers;
    this.limits =
        new StreamLimits(
            StreamLimits.WINDOW_DEFAULT,
            config.messageBytesMax(),
            gateway.limits().valueBytesMax());
  }

  /** The service that opens streams, with its reflection. */
  ServerServiceDefinition define() {
    MethodDescriptor<RequestBytes, StreamMessage> open =
        MethodDescriptor.<RequestBytes, StreamMessage>newBuilder(
                new RequestBytesMarshaller(), new StreamMarshaller())
            .setType(MethodType.BIDI_STREAMING)
            .setFullMethodName(
                MethodDescriptor.generateFullMethodName(PUBLISHED.getFullName(), "Open"))
            .build();
    return GrpcMethods.define(PUBLISHED, List.of(ServerMethodDefinition.create(open, this::open)));
  }

  private ServerCall.Listener<RequestBytes> open(
      ServerCall<RequestBytes, StreamMessage> call, Metadata headers) {
    Headers known = new GrpcHeaders(headers);
    Protocol protocol;
    try {
      protocol = Protocol.of(known);
    } catch (RefusedException e) {
      call.close(GrpcReply.status(e.refusal()), new Metadata());
      return new ServerCall.Listener<>() {};
    }
    call.sendHeaders(new Metadata());
    ResponseReader reader = new ResponseReader(call, readers);
    StreamSession session =
        StreamSession.open(
            service,
            new CallContext(TRANSPORT, known, OptionalLong.empty(), GrpcOrigins.of(call), protocol),
            limits,
            gateway::afterAnswers,
            streams,
            new GrpcStream(call, reader));
    reader.onSlow(() -> session.end(reader.refusal()));
    return new Events(session, reader);
  }

  /** Passes the transport's events on. */
  private static final class Events extends ServerCall.Listener<RequestBytes> {
    private final StreamSession session;
    private final ResponseReader reader;

    Events(StreamSession session, ResponseReader reader) {
      this.session = session;
      this.reader = reader;
    }

    @Override
    public void onMessage(RequestBytes message) {
      session.onMessage(message.bytes());
    }

    @Override
    public void onHalfClose() {
      session.onHalfClose();
    }

    @Override
    public void onCancel() {
      reader.end();
      session.onCancel();
    }

    @Override
    public void onComplete() {
      reader.end();
      // The server may have ended it: no response can be sent now.
      session.onCancel();
    }

    @Override
    public void onReady() {
      session.onReady();
    }
  }
}
