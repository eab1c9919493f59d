package io.entroq.service.authorization;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A mesh policy as EntroQ's Kubernetes operator writes it: labels of callers, and which labels open
 * which queues and namespaces. Complete and valid, or it is not read at all: what a document does
 * not say, nobody may do.
 *
 * @param identities the labels of each caller, by its subject
 */
record MeshDocument(
    List<Rule> queues, List<Rule> namespaces, Map<String, Map<String, String>> identities) {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final int LABEL_CHARACTERS_MAX = 63;
  private static final int DOMAIN_CHARACTERS_MAX = 253;

  /** The name of a label in Kubernetes, without the domain that may precede it; also a value. */
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

  private static final Pattern DOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  /**
   * Opens a queue or namespace, or all with a prefix.
   *
   * @param callers labels; a caller that has all of one of these is allowed
   */
  record Rule(String pattern, boolean isPrefix, List<Map<String, String>> callers) {
    boolean allows(Map<String, String> labels) {
      return callers.stream()
          .anyMatch(
              required ->
                  required.entrySet().stream()
                      .allMatch(
                          label ->
                              // A missing label is an empty one, as in EntroQ's server.
                              label.getValue().equals(labels.getOrDefault(label.getKey(), ""))));
    }
  }

  /**
   * Reads a document.
   *
   * @throws MeshPolicyException if it is not complete and valid
   */
  static MeshDocument parse(byte[] bytes) throws MeshPolicyException {
    try (JsonParser json = JSON.createParser(bytes)) {
      Reader reader = new Reader(json);
      reader.readDocument();
      if (!reader.isInitialized) {
        throw new MeshPolicyException("invalid mesh document: initialized is not true");
      }
      return new MeshDocument(reader.queues, reader.namespaces, reader.identities);
    } catch (IOException e) {
      String message =
          e instanceof JsonParseException known ? known.getOriginalMessage() : e.getMessage();
      throw new MeshPolicyException("invalid mesh document: " + message, e);
    }
  }

  /** Reads the JSON; null means absent. One thread. */
  private static final class Reader {
    private final JsonParser json;
    private final List<Rule> queues = new ArrayList<>();
    private final List<Rule> namespaces = new ArrayList<>();
    private final Map<String, Map<String, String>> identities = new LinkedHashMap<>();
    private boolean isInitialized;

    Reader(JsonParser json) {
      this.json = json;
    }

    void readDocument() throws IOException {
      json.nextToken();
      readObject(
          "the document",
          field -> {
            switch (field) {
              case "initialized" -> isInitialized = json.getBooleanValue();
              case "queues" -> readArray(field, at -> queues.add(readRule(at)));
              case "namespaces" -> readArray(field, at -> namespaces.add(readRule(at)));
              case "identities" ->
                  readObject(field, subject -> identities.put(subject, readIdentity(subject)));
              default -> throw unknown("the document", field);
            }
          });
      if (json.nextToken() != null) {
        throw problem("the document is followed by more");
      }
    }

    private Rule readRule(String at) throws IOException {
      String[] texts = {"", ""};
      List<Map<String, String>> callers = new ArrayList<>();
      readObject(
          at,
          field -> {
            switch (field) {
              case "pattern" -> texts[0] = text(at + "." + field);
              case "matchType" -> texts[1] = text(at + "." + field);
              case "allowedCallers" ->
                  readArray(at + "." + field, caller -> callers.add(readLabels(caller)));
              default -> throw unknown(at, field);
            }
          });
      if (texts[0].isEmpty()) {
        throw problem(at + ".pattern: is empty");
      }
      if (callers.isEmpty()) {
        throw problem(at + ".allowedCallers: is empty");
      }
      return switch (texts[1]) {
        case "Exact" -> new Rule(texts[0], false, callers);
        case "Prefix" -> new Rule(texts[0], true, callers);
        default -> throw problem(at + ".matchType: expected Exact or Prefix");
      };
    }

    private Map<String, String> readIdentity(String subject) throws IOException {
      if (subject.isEmpty()) {
        throw problem("identities: a subject is empty");
      }
      String at = "identities." + subject;
      Map<String, String> labels = new LinkedHashMap<>();
      readObject(
          at,
          field -> {
            if (!field.equals("labels")) {
              throw unknown(at, field);
            }
            labels.putAll(readLabels(at + "." + field));
          });
      if (labels.isEmpty()) {
        throw problem(at + ".labels: is empty");
      }
      return labels;
    }

    private Map<String, String> readLabels(String at) throws IOException {
      Map<String, String> labels = new LinkedHashMap<>();
      readObject(
          at,
          key -> {
            String value = text(at + "." + key);
            if (!isLabelKey(key)) {
              throw problem(at + "." + key + ": not the key of a label in Kubernetes");
            }
            if (!value.isEmpty() && !isLabel(value)) {
              throw problem(at + "." + key + ": not the value of a label in Kubernetes");
            }
            labels.put(key, value);
          });
      if (labels.isEmpty()) {
        throw problem(at + ": is empty");
      }
      return labels;
    }

    private static boolean isLabelKey(String key) {
      int slash = key.indexOf('/');
      String domain = key.substring(0, Math.max(slash, 0));
      boolean isQualified =
          slash < 0
              || (domain.length() <= DOMAIN_CHARACTERS_MAX && DOMAIN.matcher(domain).matches());
      return isQualified && isLabel(key.substring(slash + 1));
    }

    private static boolean isLabel(String text) {
      return text.length() <= LABEL_CHARACTERS_MAX && LABEL.matcher(text).matches();
    }

    private void readObject(String at, Field field) throws IOException {
      require(at, JsonToken.START_OBJECT);
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String name = json.currentName();
        if (json.nextToken() != JsonToken.VALUE_NULL) {
          field.read(name);
        }
      }
    }

    private void readArray(String at, Field element) throws IOException {
      require(at, JsonToken.START_ARRAY);
      for (int i = 0; json.nextToken() != JsonToken.END_ARRAY; i++) {
        element.read(at + "[" + i + "]");
      }
    }

    private String text(String at) throws IOException {
      require(at, JsonToken.VALUE_STRING);
      return json.getText();
    }

    private void require(String at, JsonToken expected) throws IOException {
      if (json.currentToken() != expected) {
        throw problem("%s: expected %s, got %s".formatted(at, expected, json.currentToken()));
      }
    }

    private JsonParseException unknown(String at, String field) {
      return problem("%s: unknown field %s".formatted(at, field));
    }

    private JsonParseException problem(String what) {
      return new JsonParseException(json, what);
    }
  }

  /** Reads the current value. */
  @FunctionalInterface
  private interface Field {
    /**
     * @param name of the field, or where the element is
     */
    void read(String name) throws IOException;
  }
}
