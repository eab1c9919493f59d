package io.entroq.service.http;

import com.google.protobuf.Message;
import io.entroq.service.call.Method;
import io.entroq.service.call.Protocol;
import io.entroq.service.call.Service;
import io.entroq.service.http.protocol.ApiRequest;
import io.entroq.service.http.protocol.ApiResponse;
import io.entroq.service.http.protocol.ConnectCodec;
import io.entroq.service.http.protocol.ConnectDialect;
import io.entroq.service.http.protocol.Dialect;
import io.entroq.service.http.protocol.ErrorJson;
import io.entroq.service.http.protocol.PolicyDialect;
import io.entroq.service.http.protocol.RestDialect;
import io.entroq.service.protojson.Defaults;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.netty.handler.codec.http.HttpRequest;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Maps paths to endpoints. Any thread. */
final class Routes {
  private static final String PUT = "PUT";
  private static final String CONNECT_PREFIX = "/" + Facade.V1.protoPackage() + ".EntroQ/";

  private static final int TYPE_CHARS_QUOTED = 64;

  private final Map<String, Route> routes = new HashMap<>();

  /** What may be done to one policy, by verb. */
  private final Map<String, Endpoint> ofPolicy = new TreeMap<>();

  /** By the path that they are mounted at. */
  private final Map<String, Site> sites;

  Routes(Service service, Map<String, PageSource> pages, HttpServerConfig config) {
    sites = config.sites();
    if (config.hasApi()) {
      addApi(service);
    }
    pages.forEach((path, page) -> routes.put(path, new Route(RestMethod.GET, page(page))));
    config.uploads().forEach((path, target) -> routes.put(path, new Route(PUT, upload(target))));
  }

  private void addApi(Service service) {
    for (RestMethod<?, ?> method : RestMethod.ALL) {
      routes.put(method.path(), new Route(method.verb(), rest(service, method)));
      routes.put(
          CONNECT_PREFIX + method.method().name(),
          new Route(RestMethod.POST, connect(service, method)));
    }
    routes.put(
        RestMethod.STREAM_PATH,
        new Route(
            RestMethod.GET,
            fixed(ApiResponse.text(415, "stream type server not supported with REST protocol"))));
    routes.put(
        CONNECT_PREFIX + Method.STREAM_TASKS.name(), new Route(RestMethod.POST, stream(service)));
    addPolicies(service);
    add(service, RestMethod.QUEUES);
    add(service, RestMethod.INSIGHT);
    routes.put(
        SseExchange.PATH,
        new Route(
            RestMethod.GET,
            (connection, request) -> new SseExchange(connection, service, request)));
  }

  /** Methods that EntroQ's REST API lacks. */
  private void add(Service service, List<RestMethod<?, ?>> methods) {
    methods.forEach(
        method -> routes.put(method.path(), new Route(method.verb(), rest(service, method))));
  }

  private void addPolicies(Service service) {
    for (PolicyDialect.Operation operation : PolicyDialect.Operation.values()) {
      Endpoint endpoint = policy(service, operation, operation.method());
      if (operation.path().equals(PolicyDialect.PATH_OF_ONE)) {
        ofPolicy.put(operation.verb(), endpoint);
      } else {
        routes.put(operation.path(), new Route(operation.verb(), endpoint));
      }
    }
  }

  private static <Q extends Message, S extends Message> Endpoint policy(
      Service service, PolicyDialect.Operation operation, Method<Q, S> method) {
    RestMethod<Q, S> rest = new RestMethod<>(method, operation.verb(), operation.path());
    Dialect dialect = new PolicyDialect(operation);
    return (connection, request) ->
        operation.hasBody() && !isJson(request)
            ? unsupported(ApiResponse.JSON).open(connection, request)
            : new UnaryExchange<>(connection, service, rest, dialect, request);
  }

  private Endpoint ofPolicy(String verb) {
    Endpoint endpoint = ofPolicy.get(verb);
    return endpoint == null
        ? fixed(
            ApiResponse.text(405, "Method Not Allowed")
                .with("allow", String.join(", ", ofPolicy.keySet())))
        : endpoint;
  }

  Exchange exchange(HttpConnection connection, ApiRequest request) {
    Route route = routes.get(request.path());
    Optional<Site> site = route == null ? site(request.path()) : Optional.empty();
    Endpoint endpoint;
    if (site.isPresent()) {
      endpoint = ofSite(site.get());
    } else if (route == null
        && !ofPolicy.isEmpty()
        && request.path().startsWith(PolicyDialect.PATH_OF_ONE)) {
      endpoint = ofPolicy(request.verb());
    } else if (route == null) {
      endpoint = fixed(ApiResponse.text(404, "Not Found"));
    } else if (request.verb().equals(route.verb())) {
      endpoint = route.endpoint();
    } else {
      endpoint = fixed(ApiResponse.text(405, "Method Not Allowed").with("allow", route.verb()));
    }
    return endpoint.open(connection, request);
  }

  private Optional<Site> site(String path) {
    return sites.entrySet().stream()
        .filter(site -> path.equals(site.getKey()) || path.startsWith(site.getKey() + "/"))
        .findFirst()
        .map(Map.Entry::getValue);
  }

  private static <Q extends Message, S extends Message> Endpoint rest(
      Service service, RestMethod<Q, S> method) {
    Dialect dialect = new RestDialect(method.onlyReads());
    return (connection, request) ->
        method.onlyReads() || isJson(request)
            ? new UnaryExchange<>(connection, service, method, dialect, request)
            : unsupported(ApiResponse.JSON).open(connection, request);
  }

  private static boolean isJson(ApiRequest request) {
    return !request.isEncoded()
        && request.mediaType().orElse(ApiResponse.JSON).equals(ApiResponse.JSON);
  }

  private static <Q extends Message, S extends Message> Endpoint connect(
      Service service, RestMethod<Q, S> method) {
    Map<String, Dialect> dialects = new LinkedHashMap<>();
    for (ConnectCodec codec : ConnectCodec.values()) {
      dialects.put(ConnectDialect.mediaType(codec), new ConnectDialect(codec));
    }
    return byMediaType(
        dialects,
        Optional.of(ApiResponse.JSON),
        (dialect, connection, request) ->
            new UnaryExchange<>(connection, service, method, dialect, request));
  }

  private static Endpoint stream(Service service) {
    Map<String, ConnectCodec> codecs = new LinkedHashMap<>();
    for (ConnectCodec codec : ConnectCodec.values()) {
      codecs.put(StreamExchange.mediaType(codec), codec);
    }
    return byMediaType(
        codecs,
        Optional.empty(),
        (codec, connection, request) -> new StreamExchange(connection, service, codec, request));
  }

  /**
   * Chooses by the media type of the body.
   *
   * @param standard the type of a body that names none; empty to refuse it
   */
  private static <T> Endpoint byMediaType(
      Map<String, T> choices, Optional<String> standard, TypedEndpoint<T> endpoint) {
    Endpoint unsupported = unsupported(String.join(", ", choices.keySet()));
    return (connection, request) -> {
      T chosen =
          request.isEncoded()
              ? null
              : request.mediaType().or(() -> standard).map(choices::get).orElse(null);
      return chosen == null
          ? unsupported.open(connection, request)
          : endpoint.open(chosen, connection, request);
    };
  }

  private static Endpoint page(PageSource page) {
    return (connection, request) ->
        new PageExchange(
            connection,
            () ->
                page.page(connection.context(request, OptionalLong.empty(), Protocol.UNDECLARED)));
  }

  private static Endpoint ofSite(Site site) {
    return (connection, request) ->
        new PageExchange(connection, () -> site.serve(SiteRequest.of(connection, request)));
  }

  private static Endpoint upload(UploadTarget target) {
    return (connection, request) ->
        request.isEncoded()
            ? unsupported(ApiResponse.JSON).open(connection, request)
            : page(context -> target.put(context, request.body())).open(connection, request);
  }

  private static Endpoint fixed(ApiResponse response) {
    return page(PageSource.of(response));
  }

  /** Says what to send, since curl and others choose a type of their own. */
  private static Endpoint unsupported(String types) {
    return (connection, request) -> {
      String problem =
          request.isEncoded()
              ? "Content-Encoding: expected gzip, as one member"
              : "Content-Type: expected %s, got %s"
                  .formatted(types, request.mediaType().map(Routes::quoted).orElse("none"));
      return fixed(ApiResponse.text(415, problem).with("accept-post", types))
          .open(connection, request);
    };
  }

  private static String quoted(String type) {
    return type.length() <= TYPE_CHARS_QUOTED ? type : type.substring(0, TYPE_CHARS_QUOTED) + "…";
  }

  /**
   * The response to a request that is refused before it has completely arrived.
   *
   * @param head empty if it has not been read
   */
  ApiResponse refusal(Optional<HttpRequest> head, int status, Refusal refusal) {
    boolean isConnect =
        head.filter(known -> ApiRequest.path(known.uri()).startsWith(CONNECT_PREFIX)).isPresent();
    return ApiResponse.json(
        status, isConnect ? ErrorJson.connect(refusal) : ErrorJson.rest(refusal, Defaults.OMITTED));
  }

  /** An endpoint and its verb. */
  private record Route(String verb, Endpoint endpoint) {}

  @FunctionalInterface
  private interface Endpoint {
    Exchange open(HttpConnection connection, ApiRequest request);
  }

  /** An endpoint that depends on the media type of the body. */
  @FunctionalInterface
  private interface TypedEndpoint<T> {
    Exchange open(T type, HttpConnection connection, ApiRequest request);
  }
}
