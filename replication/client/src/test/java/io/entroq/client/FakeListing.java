package io.entroq.client;

import io.entroq.client.transport.FailedException;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Listing;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A listing whose responses the test provides. */
final class FakeListing implements Listing<TasksResponse> {
  private final TasksRequest request;

  /** Messages and failures; OK marks the end. */
  private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();

  private volatile boolean isClosed;

  FakeListing(TasksRequest request) {
    this.request = request;
  }

  TasksRequest request() {
    return request;
  }

  boolean isClosed() {
    return isClosed;
  }

  FakeListing show(String... ids) {
    for (String id : ids) {
      arrived.add(
          TasksResponse.newBuilder()
              .addTasks(Task.newBuilder().setId(id).setQueue("inbox"))
              .build());
    }
    return this;
  }

  void end() {
    fail(Status.Code.OK, "");
  }

  void fail(Status.Code code, String message) {
    arrived.add(new Failure(code, message, List.of(), true));
  }

  @Override
  public Optional<TasksResponse> next(long timeoutMs) {
    Object next;
    try {
      next = arrived.poll(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (next instanceof TasksResponse message) {
      return Optional.of(message);
    }
    if (next instanceof Failure failure && failure.code() == Status.Code.OK) {
      return Optional.empty();
    }
    throw new FailedException(
        next instanceof Failure failure
            ? failure
            : new Failure(Status.Code.DEADLINE_EXCEEDED, "nothing has come", List.of(), true));
  }

  @Override
  public void cancel() {
    fail(Status.Code.CANCELLED, "cancelled");
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
