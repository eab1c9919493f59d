package io.entroq.tools.importing.source;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.api.EntroQException;
import io.entroq.api.Value;
import io.entroq.client.ClientConfig;
import io.entroq.client.transport.Api;
import io.entroq.client.transport.Channels;
import io.entroq.client.transport.FailedException;
import io.entroq.client.transport.Listing;
import io.entroq.client.transport.Method;
import io.entroq.client.transport.UnaryTransport;
import io.entroq.codec.wire.edge.Doc;
import io.entroq.codec.wire.edge.DocQuery;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.tools.importing.source.SourceException.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A server that is read from. Each request is sent once; {@link SourceException} says what came of
 * it if there is no answer.
 *
 * <p>Tasks come as a stream that is taken no faster than they are worked on. EntroQ's own server
 * gathers the whole of it first, so it may be a while until the first one comes.
 */
public final class SourceServer implements AutoCloseable {
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration SILENCE_MAX = Duration.ofSeconds(60);

  /** At how many docs a request for docs by their ids begins. */
  private static final int DOCS_AT_ONCE = 100;

  private final String where;
  private final Api api;
  private final UnaryTransport transport;

  private SourceServer(String where, Api api, UnaryTransport transport) {
    this.where = where;
    this.api = api;
    this.transport = transport;
  }

  /**
   * Connects to a server.
   *
   * @param wanted the API to read by; empty: the newest that the server has
   * @throws EntroQException.InvalidArgument if a file of keys or certificates cannot be read
   * @throws SourceException if nobody answers there, or if it does not have the API
   */
  public static SourceServer open(ClientConfig config, Optional<Api> wanted) {
    Channels channels = channels(config);
    try {
      return open(config, channels, wanted);
    } catch (RuntimeException e) {
      channels.close();
      throw e;
    }
  }

  private static Channels channels(ClientConfig config) {
    try {
      return Channels.open(config.channels());
    } catch (IOException | IllegalArgumentException e) {
      throw new EntroQException.InvalidArgument("keys or certificates: " + e.getMessage(), e);
    }
  }

  private static SourceServer open(ClientConfig config, Channels channels, Optional<Api> wanted) {
    SourceServer newest = over(config, channels, wanted.orElse(Api.V1));
    try {
      newest.greet(config.connectTimeout());
      return newest;
    } catch (SourceException e) {
      if (wanted.isPresent() || e.reason() != Reason.UNKNOWN_METHOD) {
        throw e;
      }
    }
    SourceServer older = over(config, channels, Api.V0);
    older.greet(config.connectTimeout());
    return older;
  }

  private static SourceServer over(ClientConfig config, Channels channels, Api api) {
    return new SourceServer(
        config.channels().addressText(),
        api,
        new UnaryTransport(channels, config.authorization(), api));
  }

  private void greet(Duration timeout) {
    Message unused = ask(Method.TIME, TimeRequest.getDefaultInstance(), timeout);
  }

  /** Where the server is, for people. */
  public String where() {
    return where;
  }

  /** The API that it is read by, as {@code v1}. */
  public String api() {
    return api.name().toLowerCase(Locale.ROOT);
  }

  /** How many tasks its queues have, by name. */
  public Map<String, Long> queues() {
    Map<String, Long> sizes = new TreeMap<>();
    ask(Method.QUEUES, QueuesRequest.getDefaultInstance())
        .getQueuesList()
        .forEach(queue -> sizes.put(queue.getName(), (long) queue.getNumTasks()));
    return sizes;
  }

  /**
   * Hands all tasks of a queue to a consumer, in any order.
   *
   * @param omitValues whether to leave their values out
   */
  public void forEachTask(String queue, boolean omitValues, Consumer<TaskItem> consumer) {
    list(request().setQueue(queue).setOmitValues(omitValues), consumer);
  }

  /** Hands the tasks with some ids to a consumer, as far as there are such. */
  public void forEachTask(List<String> ids, Consumer<TaskItem> consumer) {
    List<String> possible =
        api == Api.V1 ? ids : ids.stream().filter(SourceServer::isUuid).toList();
    if (!possible.isEmpty()) {
      list(request().addAllTaskId(possible), consumer);
    }
  }

  /** The v0 API has no other ids, and refuses a request that names one. */
  private static boolean isUuid(String id) {
    try {
      return UUID.fromString(id).toString().equals(id);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static TasksRequest.Builder request() {
    // A server that does not know of such values takes no notice.
    return TasksRequest.newBuilder().setRawValues(true);
  }

  private void list(TasksRequest.Builder request, Consumer<TaskItem> consumer) {
    try (Listing<TasksResponse> listing = transport.list(request.build())) {
      Optional<TasksResponse> next = next(listing);
      while (next.isPresent()) {
        next.get().getTasksList().forEach(task -> consumer.accept(item(task)));
        next = next(listing);
      }
    }
  }

  /** Apart, so that what a consumer throws is not taken for a failure of the source's. */
  private Optional<TasksResponse> next(Listing<TasksResponse> listing) {
    try {
      return listing.next(SILENCE_MAX.toMillis());
    } catch (FailedException e) {
      throw new SourceException(where, e.failure());
    }
  }

  private TaskItem item(Task task) {
    return new TaskItem(
        task.getId(),
        task.getQueue(),
        task.getAtMs(),
        value(task.hasRaw(), task.getRaw(), task.hasValue(), task.getValue()),
        task.getAttempt(),
        task.getErr());
  }

  private Value value(boolean hasRaw, ByteString raw, boolean hasValue, ByteString value) {
    if (hasRaw) {
      return Value.wrap(Value.Kind.BYTES, raw.toByteArray());
    }
    if (!hasValue) {
      return Value.absent();
    }
    if (api == Api.V1) {
      return Value.wrap(Value.Kind.JSON, value.toByteArray());
    }
    // No bytes and no value are the same there.
    return value.isEmpty() ? Value.absent() : Value.wrap(Value.Kind.BYTES, value.toByteArray());
  }

  /**
   * How many docs its namespaces have, by name; none by the v0 API, which has no docs.
   *
   * @throws SourceException with {@link Reason#UNKNOWN_METHOD} if the server has docs and cannot
   *     say where, as EntroQ 1.0
   */
  public Map<String, Long> namespaces() {
    Map<String, Long> sizes = new TreeMap<>();
    if (api == Api.V1) {
      ask(Method.NAMESPACE_STATS, NamespacesRequest.getDefaultInstance())
          .getNamespacesList()
          .forEach(namespace -> sizes.put(namespace.getName(), (long) namespace.getNumDocs()));
    }
    return sizes;
  }

  /** Hands all docs of a namespace, without their values, to a consumer. */
  public void forEachDoc(String namespace, Consumer<DocItem> consumer) {
    new DocListing(
            (keyStart, keyEnd, limit) ->
                docs(
                    DocQuery.newBuilder()
                        .setNamespace(namespace)
                        .setKeyStart(keyStart)
                        .setKeyEnd(keyEnd)
                        .setLimit(limit)
                        .setOmitValues(true)))
        .forEach(consumer);
  }

  /** Hands the docs with some ids to a consumer, as far as there are such. */
  public void forEachDoc(String namespace, List<String> ids, Consumer<DocItem> consumer) {
    int size = DOCS_AT_ONCE;
    int from = 0;
    while (from < ids.size()) {
      List<String> some = ids.subList(from, Math.min(ids.size(), from + size));
      List<DocItem> docs;
      try {
        docs = docs(DocQuery.newBuilder().setNamespace(namespace).addAllIds(some));
      } catch (SourceException e) {
        if (e.reason() != Reason.TOO_LONG || some.size() == 1) {
          throw e;
        }
        size = some.size() / 2;
        continue;
      }
      docs.forEach(consumer);
      from += some.size();
    }
  }

  private List<DocItem> docs(DocQuery.Builder query) {
    DocsRequest request = DocsRequest.newBuilder().setQuery(query.setRawValues(true)).build();
    List<DocItem> items = new ArrayList<>();
    ask(Method.DOCS, request).getDocsList().forEach(doc -> items.add(item(doc)));
    return items;
  }

  private DocItem item(Doc doc) {
    return new DocItem(
        doc.getId(),
        doc.getKey(),
        doc.getSecondaryKey(),
        value(doc.hasRaw(), doc.getRaw(), doc.hasContent(), doc.getContent()));
  }

  private <Q extends Message, A extends Message> A ask(Method<Q, A> method, Q request) {
    return ask(method, request, CALL_TIMEOUT);
  }

  private <Q extends Message, A extends Message> A ask(
      Method<Q, A> method, Q request, Duration timeout) {
    try {
      return BlockingReceiver.of(transport, method, request, timeout.toMillis());
    } catch (FailedException e) {
      throw new SourceException(where, e.failure());
    }
  }

  @Override
  public void close() {
    transport.close();
  }
}
