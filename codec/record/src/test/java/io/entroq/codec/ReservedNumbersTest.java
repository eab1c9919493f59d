package io.entroq.codec;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.EffectKind;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.ItemKind;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.codec.wire.published.v1.TimeResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks the reserved numbers of {@code codec/README.md} against what the schemas use. */
class ReservedNumbersTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| ((?:log|snapshot|result|wire): [^|]+) \\| ([^|]+) \\|");
  private static final Pattern RANGE = Pattern.compile("(from )?(\\d+)(?: to (\\d+))?");

  /** Other modules define them. */
  private static final String FEATURE_BITS = "wire: feature bits";

  private static final Map<String, Set<Integer>> USED =
      Map.ofEntries(
          entry("log: TaskData", numbers(TaskData.getDescriptor())),
          entry("log: Insert", numbers(Insert.getDescriptor())),
          entry("log: Change", numbers(Change.getDescriptor())),
          entry("log: Modify", numbers(Modify.getDescriptor())),
          entry("log: Policy", numbers(Policy.getDescriptor())),
          entry("log: record types", known(RecordType::isKnown)),
          entry("log: EffectKind", numbers(EffectKind.getDescriptor())),
          entry("log: EffectKind of docs", numbers(EffectKind.getDescriptor())),
          entry("snapshot: chunk kinds", known(kind -> kind <= ChunkKinds.MAX)),
          entry("result: codes", numbers(ResultCode.getDescriptor())),
          entry("result: item kinds", numbers(ItemKind.getDescriptor())),
          entry("wire: ModifyRequest", numbers(ModifyRequest.getDescriptor())),
          entry("wire: Task", numbers(Task.getDescriptor())),
          entry(
              "wire: TaskData",
              numbers(io.entroq.codec.wire.published.v1.TaskData.getDescriptor())),
          entry("wire: TimeResponse", numbers(TimeResponse.getDescriptor())));

  private static Set<Integer> known(IntPredicate isKnown) {
    return IntStream.rangeClosed(1, 255).filter(isKnown).boxed().collect(Collectors.toSet());
  }

  private static Set<Integer> numbers(Descriptor message) {
    return message.getFields().stream().map(FieldDescriptor::getNumber).collect(Collectors.toSet());
  }

  private static Set<Integer> numbers(EnumDescriptor constants) {
    return constants.getValues().stream()
        .map(EnumValueDescriptor::getNumber)
        .collect(Collectors.toSet());
  }

  @Test
  void shouldReserveOnlyNumbersThatAreFree() throws IOException {
    Map<String, String> reserved = reserved();
    assertThat(reserved.remove(FEATURE_BITS)).isNotNull();
    assertThat(reserved.keySet()).isEqualTo(USED.keySet());
    reserved.forEach(
        (where, range) ->
            assertThat(USED.get(where)).as(where).noneMatch(number -> contains(range, number)));
  }

  private static boolean contains(String range, int number) {
    Matcher numbers = RANGE.matcher(range);
    assertThat(numbers.matches()).as(range).isTrue();
    int first = Integer.parseInt(numbers.group(2));
    boolean isOpen = numbers.group(1) != null;
    int last = numbers.group(3) == null ? first : Integer.parseInt(numbers.group(3));
    return number >= first && (isOpen || number <= last);
  }

  /** The ranges by what they belong to; a row may have several of both, in the same order. */
  private static Map<String, String> reserved() throws IOException {
    Map<String, String> reserved = new HashMap<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("../README.md")));
    while (row.find()) {
      String area = row.group(1).substring(0, row.group(1).indexOf(' ') + 1);
      List<String> names = List.of(row.group(1).substring(area.length()).split("; "));
      List<String> ranges = List.of(row.group(2).split("; "));
      assertThat(ranges).as(row.group(1)).hasSameSizeAs(names);
      for (int i = 0; i < names.size(); i++) {
        reserved.put(area + names.get(i), ranges.get(i));
      }
    }
    return reserved;
  }
}
