package io.entroq.simulator.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.command.DocDataFields;
import io.entroq.codec.result.DocFields;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.client.knowledge.KnownDoc;
import io.entroq.simulator.client.knowledge.TaskIds;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.network.Network;
import io.entroq.simulator.network.NetworkConfig;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;

/** Checks of docs whose change hits another doc than its writer has seen. */
class DocContentsTest {
  private static final int NAMESPACE = 1;
  private static final int KEY = 6;
  private static final int OTHER_KEY = 7;

  private final EventQueue events = new EventQueue();
  private final SeededRandom random = new SeededRandom(1);
  private final Faults faults = new Faults(Set.of());
  private final Network network =
      new Network(events, random, faults, NetworkConfig.ordinary(), (request, replies) -> {});
  private final ClientContext context =
      new ClientContext(
          new PopulationConfig(1, 1, 0, 1), events, random, faults, network, new Trace());

  /** One whose content, before and after, has room for what is written into it. */
  private KnownDoc fresh(Predicate<KnownDoc> isWanted) {
    KnownDoc doc =
        Stream.generate(() -> context.docContents.fresh(random, NAMESPACE))
            .filter(isWanted)
            .findFirst()
            .orElseThrow();
    doc.key = KEY;
    doc.secondaryKey = KEY;
    return doc;
  }

  private KnownDoc change(KnownDoc doc) {
    return Stream.generate(() -> context.docContents.rewritten(random, doc, 0, 0))
        .filter(content -> content.valueLength >= DocContents.HEADER_BYTES)
        .filter(content -> content.key == KEY && content.secondaryKey == KEY)
        .findFirst()
        .orElseThrow();
  }

  /** Changes a doc that has another key by then, and reads it from a reply. */
  private KnownDoc changedAndRead(KnownDoc doc) {
    KnownDoc content = change(doc);
    return read(content, context.docContents.change(doc, content, false));
  }

  private KnownDoc read(KnownDoc content, DocDataFields written) {
    DocFields told = new DocFields().version(content.version);
    told.namespace().wrap(written.namespace().buffer(), 0, written.namespace().length());
    TaskIds.set(told.id(), content.idHigh, content.idLow);
    context.catalog.keys.text(OTHER_KEY, told.key());
    context.catalog.keys.text(KEY, told.secondaryKey());
    told.valueKind(content.valueKind);
    told.value().wrap(written.value().buffer(), 0, written.value().length());
    told.createdMs(1);
    ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    ResultEncoder encoder =
        new ResultEncoder().wrap(buffer, 0).code(ResultCodes.OK).sequence(1).logTimeMs(1);
    int length = encoder.doc(told).length();
    ResultDecoder result = new ResultDecoder();
    result.wrap(buffer, 0, length);
    return context.docContents.read(result.doc(0), result.buffer(), true);
  }

  @Test
  void shouldExpectNoKeysOfAnIdThatWasUsedAgain() {
    KnownDoc reused = fresh(doc -> TaskIds.isReused(doc.idHigh));

    assertThat(changedAndRead(reused).key).isEqualTo(OTHER_KEY);
  }

  @Test
  void shouldExpectTheKeysOfAnInsert() {
    KnownDoc reused =
        fresh(doc -> TaskIds.isReused(doc.idHigh) && doc.valueLength >= DocContents.HEADER_BYTES);

    assertThatThrownBy(() -> read(reused, context.docContents.insert(reused)))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("keys");
  }

  @Test
  void shouldExpectTheKeysOfAnIdThatIsUsedOnce() {
    KnownDoc single = fresh(doc -> !TaskIds.isReused(doc.idHigh));

    assertThatThrownBy(() -> changedAndRead(single))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("keys");
  }

  @Test
  void shouldExpectNoKeysOnceThatWhichWasSeenMayBeLost() {
    KnownDoc single = fresh(doc -> !TaskIds.isReused(doc.idHigh));
    context.lost();

    assertThat(changedAndRead(single).key).isEqualTo(OTHER_KEY);
  }
}
