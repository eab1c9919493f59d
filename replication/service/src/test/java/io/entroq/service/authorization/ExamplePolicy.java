package io.entroq.service.authorization;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** The policy of the folder {@code deploy/opa}, with the data of its example, in Java. */
public final class ExamplePolicy implements Function<JsonNode, JsonNode> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> EVERY_ACTION = Set.of("*", "ALL", "ANY");

  private final JsonNode data;

  /** Reads the data. */
  public ExamplePolicy() {
    try {
      data =
          JSON.readTree(Path.of("../server/deploy/opa/example/data.json").toFile())
              .get("entroq_example");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public JsonNode apply(JsonNode input) {
    String user = user(input.path("authz"));
    Set<String> roles = roles(user);
    ArrayNode failed = failed(rules(user, roles, "queues"), input.path("queues"));
    ArrayNode failedNamespaces = failed(rules(user, roles, "namespaces"), input.path("namespaces"));
    Set<String> errors = new TreeSet<>();
    if (input.has("claimant_id") && !isOwn(user, roles, input.get("claimant_id").asText())) {
      errors.add(
          "claimant \"%s\" is not the caller's: it has to begin with his name and #"
              .formatted(input.get("claimant_id").asText()));
    }
    int granted =
        input.path("queues").size()
            + input.path("namespaces").size()
            - failed.size()
            - failedNamespaces.size();
    boolean isAllowed =
        granted > 0 && failed.isEmpty() && failedNamespaces.isEmpty() && errors.isEmpty();
    if (!isAllowed && user != null) {
      errors.add("User: " + user);
    }
    ObjectNode result = JSON.createObjectNode().put("allow", isAllowed);
    result.set("failed", failed);
    result.set("failed_namespaces", failedNamespaces);
    result.set("errors", JSON.valueToTree(errors));
    return result;
  }

  private String user(JsonNode authz) {
    JsonNode name = data.get("tokens").get(authz.path("credentials").asText());
    return name == null || !authz.path("type").asText().equals("Bearer") ? null : name.asText();
  }

  private Set<String> roles(String user) {
    Set<String> roles = new LinkedHashSet<>(Set.of("everybody"));
    data.get("users")
        .path(String.valueOf(user))
        .path("roles")
        .forEach(role -> roles.add(role.asText()));
    return roles;
  }

  private static boolean isOwn(String user, Set<String> roles, String claimant) {
    return roles.contains("admin") || (user != null && claimant.startsWith(user + "#"));
  }

  private List<JsonNode> rules(String user, Set<String> roles, String kind) {
    List<JsonNode> rules = new ArrayList<>();
    if (user != null) {
      ObjectNode own = JSON.createObjectNode().put("prefix", "/users/" + user + "/");
      own.putArray("actions").add("*");
      rules.add(own);
    }
    roles.forEach(role -> data.get("roles").get(role).path(kind).forEach(rules::add));
    return rules;
  }

  private static ArrayNode failed(List<JsonNode> rules, JsonNode wants) {
    ArrayNode failed = JSON.createArrayNode();
    for (JsonNode want : wants) {
      ArrayNode lacking = JSON.createArrayNode();
      want.get("actions")
          .forEach(
              action -> {
                if (rules.stream().noneMatch(rule -> grants(rule, want, action.asText()))) {
                  lacking.add(action);
                }
              });
      if (!lacking.isEmpty()) {
        ObjectNode failure = want.deepCopy();
        failure.set("actions", lacking);
        failed.add(failure);
      }
    }
    return failed;
  }

  private static boolean grants(JsonNode rule, JsonNode want, String action) {
    if (!covers(rule, want)) {
      return false;
    }
    for (JsonNode word : rule.get("actions")) {
      if (word.asText().equals(action) || EVERY_ACTION.contains(word.asText())) {
        return true;
      }
    }
    return false;
  }

  private static boolean covers(JsonNode rule, JsonNode want) {
    if (rule.has("exact")) {
      return want.has("exact") && want.get("exact").equals(rule.get("exact"));
    }
    String prefix = rule.get("prefix").asText();
    return want.path("exact").asText(want.path("prefix").asText("")).startsWith(prefix);
  }
}
