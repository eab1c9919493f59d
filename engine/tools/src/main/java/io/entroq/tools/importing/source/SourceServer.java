package io.entroq.tools.importing.source;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.api.EntroQException;
import io.entroq.api.Policies;
import io.entroq.api.Value;
import io.entroq.client.ClientConfig;
import io.entroq.client.translation.WirePolicies;
import io.entroq.client.transport.Api;
import io.entroq.client.transport.Channels;
import io.entroq.client.transport.FailedException;
import io.entroq.client.transport.Listing;
import io.entroq.client.transport.Method;
import io.entroq.client.transport.ServerFeatures;
import io.entroq.client.transport.UnaryTransport;
import io.entroq.codec.wire.edge.Doc;
import io.entroq.codec.wire.edge.DocQuery;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.ListPoliciesRequest;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
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
 * A server to read from. Each request is sent once; failures throw {@link SourceException}.
 *
 * <p>Tasks are streamed with flow control. EntroQ's own server collects the whole listing first, so
 * the first task may take a while.
 */
public final class SourceServer implements AutoCloseable {
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration SILENCE_MAX = Duration.ofSeconds(60);

  /** Initial number of docs in a request by ids. */
  private static final int DOCS_AT_ONCE = 100;

  private final String where;
  private final Api api;
  private final UnaryTransport transport;
  private ServerFeatures features = new ServerFeatures(0);

  private SourceServer(String where, Api api, UnaryTransport transport) {
    this.where = where;
    this.api = api;
    this.transport = transport;
  }

  /**
   * Connects to a server.
   *
   * @param wanted the API to use; empty for the newest that the server supports
   * @throws EntroQException.InvalidArgument if a file of keys or certificates cannot be read
   * @throws SourceException if no server answers or it does not support the API
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
    TimeResponse time = ask(Method.TIME, TimeRequest.getDefaultInstance(), timeout);
    features = new ServerFeatures(time.getFeatures());
  }

  /** Address of the server, for messages. */
  public String where() {
    return where;
  }

  /** The API in use, such as {@code v1}. */
  public String api() {
    return api.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Its policies, limiters and pauses, in no particular order; none if it does not have any, like
   * EntroQ's own servers.
   */
  public List<Policies.Entry> policies() {
    if (!features.hasPolicies()) {
      return List.of();
    }
    return ask(Method.LIST_POLICIES, ListPoliciesRequest.getDefaultInstance())
        .getPoliciesList()
        .stream()
        .map(WirePolicies::entry)
        .toList();
  }

  /** Number of tasks by queue. */
  public Map<String, Long> queues() {
    Map<String, Long> sizes = new TreeMap<>();
    ask(Method.QUEUES, QueuesRequest.getDefaultInstance())
        .getQueuesList()
        .forEach(queue -> sizes.put(queue.getName(), (long) queue.getNumTasks()));
    return sizes;
  }

  /**
   * Passes all tasks of a queue to a consumer, in no particular order.
   *
   * @param omitValues whether to omit values
   */
  public void forEachTask(String queue, boolean omitValues, Consumer<TaskItem> consumer) {
    list(request().setQueue(queue).setOmitValues(omitValues), consumer);
  }

  /** Passes the existing tasks with these ids to a consumer. */
  public void forEachTask(List<String> ids, Consumer<TaskItem> consumer) {
    List<String> possible =
        api == Api.V1 ? ids : ids.stream().filter(SourceServer::isUuid).toList();
    if (!possible.isEmpty()) {
      list(request().addAllTaskId(possible), consumer);
    }
  }

  /** The v0 API has only UUIDs and refuses requests with other ids. */
  private static boolean isUuid(String id) {
    try {
      return UUID.fromString(id).toString().equals(id);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static TasksRequest.Builder request() {
    // Servers without raw values ignore this.
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

  /** Separate, so that a consumer's exception is not taken for a failure of the source. */
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
        task.getErr(),
        task.getExpiresMs(),
        task.getTrace());
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
    // In the v0 API, empty means absent.
    return value.isEmpty() ? Value.absent() : Value.wrap(Value.Kind.BYTES, value.toByteArray());
  }

  /**
   * Number of docs by namespace; empty for the v0 API, which has no docs.
   *
   * @throws SourceException with {@link Reason#UNKNOWN_METHOD} if the server has docs but cannot
   *     list its namespaces, like EntroQ 1.0
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

  /** Passes all docs of a namespace, without values, to a consumer. */
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

  /** Passes the existing docs with these ids to a consumer. */
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
