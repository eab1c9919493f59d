package io.entroq.service.http.protocol;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ListPoliciesRequest;
import io.entroq.codec.wire.edge.ListPoliciesResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyPause;
import io.entroq.codec.wire.edge.PolicyRef;
import io.entroq.service.call.Method;
import io.entroq.service.call.Protocol;
import io.entroq.service.protojson.Defaults;
import io.entroq.service.protojson.JsonReader;
import io.entroq.service.protojson.JsonWriter;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * REST for policies: the name is the end of the path, percent-encoded, and the kind a parameter. A
 * write is a Modify, with the claimant as a parameter.
 */
public final class PolicyDialect implements Dialect {
  /** Begins the paths of single policies, which end with the name. */
  public static final String PATH_OF_ONE = "/api/entroq/policies/";

  private static final int UNTIL_RESUMED = -1;
  private static final String KIND = "kind";
  private static final String CLAIMANT = "claimantId";
  private static final String EXPECTED_VERSION = "expectedVersion";
  private static final String PREFIX = "prefix";
  private static final String LIMIT = "limit";

  private static final Map<String, PolicyKind> KINDS =
      Map.of(
          "queue", PolicyKind.POLICY_QUEUE,
          "prefix", PolicyKind.POLICY_PREFIX,
          "limiter", PolicyKind.POLICY_LIMITER);

  /** What is asked for. */
  public enum Operation {
    PUT("PUT", PATH_OF_ONE, Method.MODIFY),
    GET("GET", PATH_OF_ONE, Method.LIST_POLICIES),
    DELETE("DELETE", PATH_OF_ONE, Method.MODIFY),
    LIST("GET", "/api/entroq/policies", Method.LIST_POLICIES),
    PAUSE("POST", "/api/entroq/pause", Method.MODIFY),
    RESUME("POST", "/api/entroq/resume", Method.MODIFY);

    private final String verb;
    private final String path;

    @SuppressWarnings("ImmutableEnumChecker") // a method is immutable
    private final Method<?, ?> method;

    Operation(String verb, String path, Method<?, ?> method) {
      this.verb = verb;
      this.path = path;
      this.method = method;
    }

    public String verb() {
      return verb;
    }

    /** The path, or how it begins. */
    public String path() {
      return path;
    }

    public Method<?, ?> method() {
      return method;
    }

    /** Whether the request has a body, in JSON. */
    public boolean hasBody() {
      return this == PUT || this == PAUSE || this == RESUME;
    }
  }

  private final RestDialect rest = new RestDialect(false);
  private final Operation operation;

  public PolicyDialect(Operation operation) {
    this.operation = operation;
  }

  @Override
  public void read(ApiRequest request, Message.Builder message) {
    switch (operation) {
      case PUT -> put(request, (ModifyRequest.Builder) message);
      case DELETE -> delete(request, (ModifyRequest.Builder) message);
      case PAUSE, RESUME -> pause(request, (ModifyRequest.Builder) message);
      case GET -> {
        Map<String, String> parameters = parameters(request, KIND);
        ((ListPoliciesRequest.Builder) message).setKind(kind(parameters)).setName(name(request));
      }
      case LIST -> list(request, (ListPoliciesRequest.Builder) message);
    }
  }

  private static void put(ApiRequest request, ModifyRequest.Builder modify) {
    Map<String, String> parameters = parameters(request, KIND, CLAIMANT);
    Policy.Builder policy = modify.addPolicyPutsBuilder();
    JsonReader.read(request.body(), policy);
    String name = name(request);
    if (!policy.getName().isEmpty() && !policy.getName().equals(name)) {
      throw invalid("name: is another in the body than in the path");
    }
    PolicyKind kind = kind(parameters);
    if (policy.getKind() != PolicyKind.POLICY_QUEUE && policy.getKind() != kind) {
      throw invalid("kind: is another in the body than in the parameters");
    }
    policy.setName(name).setKind(kind);
    claimant(parameters, modify);
  }

  private static void delete(ApiRequest request, ModifyRequest.Builder modify) {
    Map<String, String> parameters = parameters(request, KIND, CLAIMANT, EXPECTED_VERSION);
    modify.addPolicyDeletes(
        PolicyRef.newBuilder()
            .setKind(kind(parameters))
            .setName(name(request))
            .setExpectedVersion(number(parameters, EXPECTED_VERSION)));
    claimant(parameters, modify);
  }

  private void pause(ApiRequest request, ModifyRequest.Builder modify) {
    Map<String, String> parameters = parameters(request, KIND, CLAIMANT);
    PolicyPause.Builder pause = modify.addPausesBuilder();
    JsonReader.read(request.body(), pause);
    if (operation == Operation.PAUSE && pause.getPauseMs() == 0) {
      throw invalid("pauseMs: must be at least 1, or " + UNTIL_RESUMED + " until resumed");
    }
    if (operation == Operation.RESUME && pause.getPauseMs() != 0) {
      throw invalid("pauseMs: a resume has none");
    }
    if (parameters.containsKey(KIND)) {
      pause.setKind(kind(parameters));
    }
    claimant(parameters, modify);
  }

  private static void list(ApiRequest request, ListPoliciesRequest.Builder list) {
    Map<String, String> parameters = parameters(request, KIND, PREFIX, LIMIT);
    if (parameters.containsKey(KIND)) {
      list.setKind(kind(parameters));
    }
    list.setPrefix(parameters.getOrDefault(PREFIX, "")).setLimit(number(parameters, LIMIT));
  }

  private static void claimant(Map<String, String> parameters, ModifyRequest.Builder modify) {
    modify.setClaimantId(parameters.getOrDefault(CLAIMANT, ""));
  }

  /** The parameters, each given once. */
  private static Map<String, String> parameters(ApiRequest request, String... known) {
    Map<String, String> parameters = new HashMap<>();
    QueryParameters.of(request.query())
        .forEach(
            (name, values) -> {
              if (!List.of(known).contains(name)) {
                throw new RefusedException(
                    Protocol.unknown("parameter %s: unknown parameter".formatted(shortened(name))));
              }
              if (values.size() > 1) {
                throw invalid("parameter %s: expected once".formatted(name));
              }
              parameters.put(name, values.get(0));
            });
    return parameters;
  }

  private static String shortened(String text) {
    return text.substring(0, Math.min(100, text.length()));
  }

  private static PolicyKind kind(Map<String, String> parameters) {
    PolicyKind kind = KINDS.get(parameters.getOrDefault(KIND, "queue"));
    if (kind == null) {
      throw invalid("parameter kind: expected queue, prefix or limiter");
    }
    return kind;
  }

  private static int number(Map<String, String> parameters, String name) {
    try {
      return Integer.parseInt(parameters.getOrDefault(name, "0"));
    } catch (NumberFormatException e) {
      throw invalid("parameter %s: expected an integer".formatted(name));
    }
  }

  private static String name(ApiRequest request) {
    String encoded = request.path().substring(PATH_OF_ONE.length()).replace("+", "%2B");
    try {
      String name = QueryParameters.text(URLDecoder.decode(encoded, StandardCharsets.ISO_8859_1));
      if (!name.isEmpty()) {
        return name;
      }
    } catch (IllegalArgumentException e) {
      throw invalid("the path is malformed: " + e.getMessage());
    }
    throw invalid("the path must end with the name of a policy");
  }

  private static RefusedException invalid(String problem) {
    return new RefusedException(Refusal.invalid(problem));
  }

  @Override
  public OptionalLong deadline(ApiRequest request) {
    return rest.deadline(request);
  }

  @Override
  public boolean allowsBlanks() {
    return false;
  }

  @Override
  public ApiResponse response(Message message, Defaults defaults) {
    if (message instanceof ModifyResponse modified) {
      return operation == Operation.DELETE || modified.getPoliciesCount() == 0
          ? ApiResponse.json(200, "{}")
          : rest.response(modified.getPolicies(0), defaults);
    }
    ListPoliciesResponse listed = (ListPoliciesResponse) message;
    if (operation == Operation.LIST) {
      return ApiResponse.json(
          200,
          listed.getPoliciesList().stream()
              .map(policy -> JsonWriter.write(policy, defaults))
              .collect(Collectors.joining(",", "{\"policies\":[", "]}")));
    }
    // As a refusal, NOT_FOUND would be a conflict.
    return listed.getPoliciesCount() == 0
        ? ApiResponse.json(
            404, "{\"code\":5,\"message\":\"there is no such policy\",\"details\":[]}")
        : rest.response(listed.getPolicies(0), defaults);
  }

  @Override
  public ApiResponse refusal(Refusal refusal, Defaults defaults) {
    return rest.refusal(refusal, defaults);
  }
}
