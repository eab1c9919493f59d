package io.entroq.engine.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectWriter;
import io.entroq.codec.effect.StepFrame;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.Ids;
import io.entroq.engine.gateway.FeedRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What each criterion of a request lets through of a step with an effect of each sort. */
class EffectFilterTest {
  private static final String UUID_ID = "0190a0b1-0000-7000-8000-000000000001";
  private static final Set<String> NONE = Set.of();

  private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 14));
  private final EffectWriter writer = new EffectWriter();
  private final List<String> names = new ArrayList<>();
  private int length;

  EffectFilterTest() {
    writer.wrap(memory, 0, memory.capacity()).begin(1, 1, 0, 0, memory, 0, 0);
    task("inserted", EffectKinds.INSERTED, UUID_ID, "inbox", "");
    task("moved", EffectKinds.MOVED, "order 7", "done", "inbox/a");
    task("unicode", EffectKinds.CLAIMED, "x", "größe", "");
    effect("doc", EffectKinds.DOC_INSERTED);
    part(EffectParts.NAMESPACE, "people");
    effect("nameless doc", EffectKinds.DOC_INSERTED);
    effect("policy", EffectKinds.POLICY_WRITTEN);
    part(EffectParts.POLICY, "inbox");
    effect("breaker", EffectKinds.BREAKER_OPENED);
    part(EffectParts.QUEUE, "inbox");
    length = writer.end();
  }

  private void task(String name, int kind, String id, String queue, String former) {
    effect(name, kind);
    IdKey key = Ids.ofV1(id);
    writer.id(key.high(), key.low());
    part(EffectParts.QUEUE, queue);
    part(EffectParts.FORMER_QUEUE, former);
    part(EffectParts.ID_TEXT, key.text());
  }

  private void effect(String name, int kind) {
    writer.effect(names.size(), kind, 0);
    names.add(name);
  }

  private void part(int part, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    writer.part(part, new UnsafeBuffer(bytes), 0, bytes.length);
  }

  private List<String> passed(
      Set<String> queues,
      List<String> prefixes,
      Set<String> namespaces,
      Set<Integer> kinds,
      Set<String> ids) {
    EffectFilter filter =
        new EffectFilter(
            new FeedRequest(
                new FeedRequest.Start.Now(),
                1,
                Long.MAX_VALUE,
                queues,
                prefixes,
                namespaces,
                kinds,
                ids,
                false));
    List<String> passed = new ArrayList<>();
    StepFrame step = new StepFrame().wrap(memory, 0, length);
    while (step.next()) {
      if (filter.matches(step.effect())) {
        passed.add(names.get(step.effect().index()));
      }
    }
    return passed;
  }

  private List<String> ofQueues(String... queues) {
    return passed(Set.of(queues), List.of(), NONE, Set.of(), NONE);
  }

  private List<String> ofPrefixes(String... prefixes) {
    return passed(NONE, List.of(prefixes), NONE, Set.of(), NONE);
  }

  private List<String> ofNamespaces(String... namespaces) {
    return passed(NONE, List.of(), Set.of(namespaces), Set.of(), NONE);
  }

  private List<String> ofTasks(String... ids) {
    return passed(NONE, List.of(), NONE, Set.of(), Set.of(ids));
  }

  @Test
  void shouldPassEverythingWithoutCriteria() {
    assertThat(passed(NONE, List.of(), NONE, Set.of(), NONE)).isEqualTo(names);
  }

  @Test
  void shouldPassTasksAndBreakersByQueueAndFormerQueue() {
    assertThat(ofQueues("inbox")).containsExactly("inserted", "breaker");
    assertThat(ofQueues("inbox/a")).containsExactly("moved");
    assertThat(ofQueues("done", "a", "zoo")).containsExactly("moved");
    assertThat(ofQueues("größe")).containsExactly("unicode");
    assertThat(ofQueues("inbo", "inbox/", "")).isEmpty();
  }

  @Test
  void shouldPassTasksByPrefixOfQueueAndFormerQueue() {
    assertThat(ofPrefixes("inbox")).containsExactly("inserted", "moved", "breaker");
    assertThat(ofPrefixes("inbox/")).containsExactly("moved");
    assertThat(ofPrefixes("")).containsExactly("inserted", "moved", "unicode", "breaker");
    assertThat(ofPrefixes("inbox/a/b", "x")).isEmpty();
    assertThat(passed(Set.of("größe"), List.of("don"), NONE, Set.of(), NONE))
        .containsExactly("moved", "unicode");
  }

  @Test
  void shouldPassDocsByNamespace() {
    assertThat(ofNamespaces("people")).containsExactly("doc");
    assertThat(ofNamespaces("")).containsExactly("nameless doc");
    assertThat(passed(Set.of("done"), List.of(), Set.of("people"), Set.of(), NONE))
        .containsExactly("moved", "doc");
  }

  @Test
  void shouldPassByKindAmongWhatElsePasses() {
    Set<Integer> kinds = Set.of(EffectKinds.MOVED, EffectKinds.POLICY_WRITTEN, 99, -1);
    assertThat(passed(NONE, List.of(), NONE, kinds, NONE)).containsExactly("moved", "policy");
    assertThat(passed(Set.of("inbox"), List.of(), NONE, kinds, NONE)).isEmpty();
    assertThat(passed(NONE, List.of(), NONE, Set.of(99), NONE)).isEmpty();
  }

  @Test
  void shouldPassTasksById() {
    assertThat(ofTasks(UUID_ID)).containsExactly("inserted");
    assertThat(ofTasks("order 7", "x", "unknown")).containsExactly("moved", "unicode");
    assertThat(passed(Set.of("inbox"), List.of(), NONE, Set.of(), Set.of("order 7"))).isEmpty();
  }
}
