package io.entroq.server.importing;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.entroq.codec.wire.edge.Doc;
import io.entroq.codec.wire.edge.DocQuery;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.DocsResponse;
import io.entroq.codec.wire.edge.QueueStats;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * A server that behaves as EntroQ's own in what matters to those who read from it: listings come in
 * another order each time, of docs above a limit any are left out, objects are serialized in
 * another order each time, ids of v0 must be UUIDs, and 1.0 does not say which namespaces it has.
 */
final class FakeSource implements AutoCloseable {
  private final String service;
  private final Random random;
  private final Server server;
  private final Map<String, Task> tasks = new HashMap<>();
  private final List<Doc> docs = new ArrayList<>();
  private int breaks;
  private int tasksBeforeBreak;
  private int valuesSent;

  /**
   * Starts it.
   *
   * @param service its API, as {@code api.EntroQ}
   */
  FakeSource(String service, long seed) throws IOException {
    this.service = service;
    this.random = new Random(seed);
    ServerServiceDefinition methods =
        ServerServiceDefinition.builder(service)
            .addMethod(
                method(
                    "Time",
                    MethodType.UNARY,
                    TimeRequest.getDefaultInstance(),
                    TimeResponse.getDefaultInstance()),
                ServerCalls.asyncUnaryCall(
                    (request, answers) -> answer(answers, TimeResponse.getDefaultInstance())))
            .addMethod(
                method(
                    "Queues",
                    MethodType.UNARY,
                    QueuesRequest.getDefaultInstance(),
                    QueuesResponse.getDefaultInstance()),
                ServerCalls.asyncUnaryCall((request, answers) -> answer(answers, queues())))
            .addMethod(
                method(
                    "StreamTasks",
                    MethodType.SERVER_STREAMING,
                    TasksRequest.getDefaultInstance(),
                    TasksResponse.getDefaultInstance()),
                ServerCalls.asyncServerStreamingCall(this::list))
            .addMethod(
                method(
                    "Docs",
                    MethodType.UNARY,
                    DocsRequest.getDefaultInstance(),
                    DocsResponse.getDefaultInstance()),
                ServerCalls.asyncUnaryCall(
                    (request, answers) -> answer(answers, docs(request.getQuery()))))
            .build();
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(methods)
            .build()
            .start();
  }

  private <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
      String name, MethodType type, Q request, A answer) {
    return MethodDescriptor.newBuilder(
            ProtoUtils.marshaller(request), ProtoUtils.marshaller(answer))
        .setType(type)
        .setFullMethodName(service + "/" + name)
        .build();
  }

  private static <A> void answer(StreamObserver<A> answers, A answer) {
    answers.onNext(answer);
    answers.onCompleted();
  }

  String address() {
    return "localhost:" + server.getPort();
  }

  synchronized void add(Task.Builder task) {
    tasks.put(task.getId(), task.build());
  }

  synchronized void add(Doc.Builder doc) {
    docs.add(doc.build());
  }

  /** So many listings are broken off after so many tasks. */
  synchronized void breakOff(int listings, int tasksBefore) {
    breaks = listings;
    tasksBeforeBreak = tasksBefore;
  }

  /** How many tasks were sent with what they carry. */
  synchronized int valuesSent() {
    return valuesSent;
  }

  private synchronized QueuesResponse queues() {
    QueuesResponse.Builder response = QueuesResponse.newBuilder();
    tasks.values().stream()
        .collect(Collectors.groupingBy(Task::getQueue, Collectors.counting()))
        .forEach(
            (name, size) ->
                response.addQueues(
                    QueueStats.newBuilder().setName(name).setNumTasks(size.intValue())));
    return response.build();
  }

  private synchronized void list(TasksRequest request, StreamObserver<TasksResponse> answers) {
    if (service.equals("proto.EntroQ")
        && request.getTaskIdList().stream().anyMatch(id -> id.length() != 36)) {
      answers.onError(Status.INVALID_ARGUMENT.withDescription("id: no UUID").asException());
      return;
    }
    List<Task> listed = listed(request);
    int sent = 0;
    for (Task task : listed) {
      if (breaks > 0 && sent == tasksBeforeBreak) {
        breaks--;
        answers.onError(Status.UNAVAILABLE.withDescription("broken off").asException());
        return;
      }
      Task.Builder form = task.toBuilder();
      if (request.getOmitValues()) {
        form.clearValue();
      } else {
        valuesSent++;
        shuffle(form);
      }
      answers.onNext(TasksResponse.newBuilder().addTasks(form).build());
      sent++;
    }
    answers.onCompleted();
  }

  private List<Task> listed(TasksRequest request) {
    if (request.getTaskIdCount() > 0) {
      return request.getTaskIdList().stream().filter(tasks::containsKey).map(tasks::get).toList();
    }
    List<Task> listed =
        tasks.values().stream()
            .filter(task -> task.getQueue().equals(request.getQueue()))
            .collect(Collectors.toCollection(ArrayList::new));
    Collections.shuffle(listed, random);
    return listed;
  }

  /** As a map of Go has no order. */
  private void shuffle(Task.Builder task) {
    if (!service.equals("api.EntroQ") || !task.hasValue()) {
      return;
    }
    try {
      Value value = Value.parseFrom(task.getValue());
      List<Map.Entry<String, Value>> members =
          new ArrayList<>(value.getStructValue().getFieldsMap().entrySet());
      if (!members.isEmpty()) {
        Collections.shuffle(members, random);
        Struct.Builder struct = Struct.newBuilder();
        members.forEach(member -> struct.putFields(member.getKey(), member.getValue()));
        task.setValue(Value.newBuilder().setStructValue(struct).build().toByteString());
      }
    } catch (IOException e) {
      // Not one that has members: sent as it is.
    }
  }

  private synchronized DocsResponse docs(DocQuery query) {
    List<Doc> listed =
        docs.stream()
            .filter(doc -> doc.getNamespace().equals(query.getNamespace()))
            .filter(doc -> isAsked(doc, query))
            .collect(Collectors.toCollection(ArrayList::new));
    Collections.shuffle(listed, random);
    if (query.getLimit() > 0 && listed.size() > query.getLimit()) {
      listed = new ArrayList<>(listed.subList(0, query.getLimit()));
    }
    listed.sort(Comparator.comparing(Doc::getKey));
    DocsResponse.Builder response = DocsResponse.newBuilder();
    for (Doc doc : listed) {
      response.addDocs(query.getOmitValues() ? doc.toBuilder().clearContent() : doc.toBuilder());
    }
    return response.build();
  }

  private static boolean isAsked(Doc doc, DocQuery query) {
    if (query.getIdsCount() > 0) {
      return query.getIdsList().contains(doc.getId());
    }
    return doc.getKey().compareTo(query.getKeyStart()) >= 0
        && (query.getKeyEnd().isEmpty() || doc.getKey().compareTo(query.getKeyEnd()) < 0);
  }

  static ByteString json(Value.Builder value) {
    return value.build().toByteString();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
