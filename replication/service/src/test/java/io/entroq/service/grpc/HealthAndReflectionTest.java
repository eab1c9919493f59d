package io.entroq.service.grpc;

import static io.entroq.service.grpc.ServedQueue.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import io.entroq.codec.wire.published.feed.PublishedFeedProto;
import io.entroq.codec.wire.published.stream.PublishedStreamProto;
import io.entroq.codec.wire.published.v0.PublishedV0Proto;
import io.entroq.codec.wire.published.v1.PublishedV1Proto;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What clients ask before anything else, and what people ask who look around. */
class HealthAndReflectionTest {
  private final ServedQueue served = new ServedQueue();

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldServeTheServiceWithoutAName() {
    HealthCheckResponse health =
        HealthGrpc.newBlockingStub(served.client.channel)
            .check(HealthCheckRequest.getDefaultInstance());
    assertThat(health.getStatus()).isEqualTo(ServingStatus.SERVING);
    assertThat(
            refusal(
                    () ->
                        HealthGrpc.newBlockingStub(served.client.channel)
                            .check(HealthCheckRequest.newBuilder().setService("x").build()))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void shouldTellWhoeverWatchesWhetherToCome() throws Exception {
    BlockingQueue<ServingStatus> told = watch();
    assertThat(told.poll(10, TimeUnit.SECONDS)).isEqualTo(ServingStatus.SERVING);
    served.server.tellReady(false);
    assertThat(told.poll(10, TimeUnit.SECONDS)).isEqualTo(ServingStatus.NOT_SERVING);
    served.server.tellReady(true);
    assertThat(told.poll(10, TimeUnit.SECONDS)).isEqualTo(ServingStatus.SERVING);
  }

  @Test
  void shouldSayNoFromTheMomentInWhichItBeginsToEnd() throws Exception {
    BlockingQueue<ServingStatus> told = watch();
    assertThat(told.poll(10, TimeUnit.SECONDS)).isEqualTo(ServingStatus.SERVING);
    CompletableFuture<Boolean> drained =
        CompletableFuture.supplyAsync(() -> served.server.drain(Duration.ofSeconds(20)));
    assertThat(told.poll(10, TimeUnit.SECONDS)).isEqualTo(ServingStatus.NOT_SERVING);
    // As the next look at a member says that is still well.
    served.server.tellReady(true);
    assertThat(drained.get(30, TimeUnit.SECONDS)).as("nobody who watches holds it up").isTrue();
    assertThat(told).isEmpty();
  }

  private BlockingQueue<ServingStatus> watch() {
    BlockingQueue<ServingStatus> told = new LinkedBlockingQueue<>();
    HealthGrpc.newStub(served.client.channel)
        .watch(
            HealthCheckRequest.getDefaultInstance(),
            new StreamObserver<>() {
              @Override
              public void onNext(HealthCheckResponse response) {
                told.add(response.getStatus());
              }

              @Override
              public void onError(Throwable t) {}

              @Override
              public void onCompleted() {}
            });
    return told;
  }

  @Test
  void shouldTellOfBothApisWithTheirTrueTypes() throws Exception {
    assertThat(
            ask(ServerReflectionRequest.newBuilder().setListServices(""))
                .getListServicesResponse()
                .getServiceList())
        .extracting(ServiceResponse::getName)
        .contains(
            "api.EntroQ",
            "proto.EntroQ",
            "entroq.v1.Stream",
            "entroq.v1.Admin",
            "entroq.v1.Feed",
            "entroq.v1.Insight",
            "grpc.health.v1.Health");
    assertThat(file("api.EntroQ")).isEqualTo(PublishedV1Proto.getDescriptor().toProto());
    assertThat(file("entroq.v1.Stream")).isEqualTo(PublishedStreamProto.getDescriptor().toProto());
    assertThat(file("entroq.v1.Feed")).isEqualTo(PublishedFeedProto.getDescriptor().toProto());
    assertThat(file("proto.EntroQ")).isEqualTo(PublishedV0Proto.getDescriptor().toProto());
  }

  private FileDescriptorProto file(String service) throws Exception {
    return FileDescriptorProto.parseFrom(
        ask(ServerReflectionRequest.newBuilder().setFileContainingSymbol(service))
            .getFileDescriptorResponse()
            .getFileDescriptorProto(0));
  }

  private ServerReflectionResponse ask(ServerReflectionRequest.Builder request) throws Exception {
    CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> questions =
        ServerReflectionGrpc.newStub(served.client.channel)
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse response) {
                    answer.complete(response);
                  }

                  @Override
                  public void onError(Throwable t) {
                    answer.completeExceptionally(t);
                  }

                  @Override
                  public void onCompleted() {}
                });
    questions.onNext(request.build());
    questions.onCompleted();
    return answer.get(10, TimeUnit.SECONDS);
  }
}
