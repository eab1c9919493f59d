package io.entroq.console.action;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.console.read.Visit;
import io.entroq.console.view.Field;
import io.entroq.console.web.PageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The rules of a policy as fields of a form and as lines: whatever the message has, so a new rule
 * is there as soon as the API has it. Any thread.
 */
public final class PolicyFields {
  /** What says which policy it is. */
  private static final Set<String> NAMES = Set.of("kind", "name", "expected_version");

  private static final Set<String> LIMITER_RULES =
      Set.of("rate_limit", "rate_period_ms", "rate_burst", "in_flight_max");

  /** Units in names of fields, and what people read. */
  private static final Map<String, String> UNITS =
      Map.of("_ms", ", in milliseconds", "_milli", ", in thousandths");

  private PolicyFields() {}

  private static List<FieldDescriptor> rules(boolean isLimiter) {
    return Policy.getDescriptor().getFields().stream()
        .filter(field -> !NAMES.contains(field.getName()))
        .filter(field -> !isLimiter || LIMITER_RULES.contains(field.getName()))
        .toList();
  }

  /** The name of a rule for people, such as "Retry base, in milliseconds". */
  public static String label(String rule) {
    String name = rule;
    String unit = "";
    for (Map.Entry<String, String> each : UNITS.entrySet()) {
      if (name.endsWith(each.getKey())) {
        name = name.substring(0, name.length() - each.getKey().length());
        unit = each.getValue();
      }
    }
    String words = name.replace('_', ' ');
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + unit;
  }

  /** Fields with the rules that a policy has. */
  static List<Field> fields(Policy policy, boolean isLimiter) {
    List<Field> fields = new ArrayList<>();
    for (FieldDescriptor rule : rules(isLimiter)) {
      String name = rule.getName();
      String text = text(policy, rule);
      if (rule.getJavaType() == FieldDescriptor.JavaType.ENUM) {
        List<String> choices =
            rule.getEnumType().getValues().stream().map(PolicyFields::word).toList();
        fields.add(Field.choice(name, label(rule.getName()), word(policy, rule), "", choices));
      } else if (rule.isRepeated()) {
        fields.add(Field.line(name, label(rule.getName()), text, "Separated by spaces."));
      } else if (rule.getJavaType() == FieldDescriptor.JavaType.STRING) {
        fields.add(Field.line(name, label(rule.getName()), text, ""));
      } else {
        fields.add(Field.number(name, label(rule.getName()), text, ""));
      }
    }
    return fields;
  }

  /** The text of a rule; empty if it is not set. */
  private static String text(Policy policy, FieldDescriptor rule) {
    if (rule.isRepeated()) {
      List<?> values = (List<?>) policy.getField(rule);
      return String.join(" ", values.stream().map(Object::toString).toList());
    }
    if (policy.getField(rule).equals(rule.getDefaultValue())) {
      return "";
    }
    return rule.getJavaType() == FieldDescriptor.JavaType.ENUM
        ? word(policy, rule)
        : policy.getField(rule).toString();
  }

  private static String word(Policy policy, FieldDescriptor rule) {
    return word((EnumValueDescriptor) policy.getField(rule));
  }

  /** The value of an enum without its prefix, in lower case. */
  private static String word(EnumValueDescriptor value) {
    String prefix = value.getType().getName().toUpperCase(Locale.ROOT) + "_";
    return value.getName().substring(prefix.length()).toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /**
   * Reads the rules of a form.
   *
   * @param policy to which they are added
   * @throws PageException if a number is none
   */
  static void read(Visit visit, Policy.Builder policy, boolean isLimiter) {
    for (FieldDescriptor rule : rules(isLimiter)) {
      String text = visit.text(rule.getName()).strip();
      if (!text.isEmpty()) {
        if (rule.isRepeated()) {
          Arrays.stream(text.split("\\s+")).forEach(each -> policy.addRepeatedField(rule, each));
        } else {
          policy.setField(rule, value(rule, text));
        }
      }
    }
  }

  private static Object value(FieldDescriptor rule, String text) {
    try {
      return switch (rule.getJavaType()) {
        case INT -> Integer.valueOf(text);
        case LONG -> Long.valueOf(text);
        case ENUM ->
            rule.getEnumType().getValues().stream()
                .filter(value -> word(value).equals(text))
                .findFirst()
                .orElseThrow(
                    () -> PageException.invalid(label(rule.getName()) + ": choose a value."));
        default -> text;
      };
    } catch (NumberFormatException e) {
      throw PageException.invalid(
          "%s: '%s' is not a whole number.".formatted(label(rule.getName()), text));
    }
  }

  /** The texts of the rules that are set, by the names of their fields. */
  public static Map<String, String> texts(Policy policy) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (FieldDescriptor rule : rules(false)) {
      String text = text(policy, rule);
      if (!text.isEmpty()) {
        texts.put(rule.getName(), text);
      }
    }
    return texts;
  }
}
