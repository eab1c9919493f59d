package io.entroq.codec.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.message.Facades;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ClaimDecoderTest {
  private final ClaimDecoder decoder = new ClaimDecoder();

  private static final Identity IDENTITY =
      Identity.newBuilder().setClientHigh(1).setClientLow(2).setNumber(9).setAckedBelow(3).build();

  private void wrap(Claim claim) {
    byte[] bytes = claim.toByteArray();
    decoder.wrap(new UnsafeBuffer(bytes), 0, bytes.length);
  }

  private String queue(int index) {
    return decoder
        .buffer()
        .getStringWithoutLengthUtf8(decoder.queueOffset(index), decoder.queueLength(index));
  }

  @Test
  void shouldReadEveryField() {
    wrap(
        Claim.newBuilder()
            .setIdentity(IDENTITY)
            .setFacade(Facade.FACADE_V0)
            .setClaimant(Id.newBuilder().setHigh(5).setLow(-6).setText("me"))
            .addQueues("a")
            .addQueues("Zürich €")
            .setLeaseMs(30_000)
            .setDeadlineMs(1_700_000_000_000L)
            .setLimit(7)
            .setWait(true)
            .build());
    assertThat(decoder.hasIdentity()).isTrue();
    assertThat(decoder.clientHigh()).isEqualTo(1);
    assertThat(decoder.clientLow()).isEqualTo(2);
    assertThat(decoder.requestNumber()).isEqualTo(9);
    assertThat(decoder.ackedBelow()).isEqualTo(3);
    assertThat(decoder.facade()).isEqualTo(Facades.V0);
    assertThat(decoder.claimantHigh()).isEqualTo(5);
    assertThat(decoder.claimantLow()).isEqualTo(-6);
    assertThat(decoder.claimantTextLength()).isEqualTo(2);
    assertThat(decoder.queueCount()).isEqualTo(2);
    assertThat(queue(0)).isEqualTo("a");
    assertThat(queue(1)).isEqualTo("Zürich €");
    assertThat(decoder.leaseMs()).isEqualTo(30_000);
    assertThat(decoder.deadlineMs()).isEqualTo(1_700_000_000_000L);
    assertThat(decoder.limit()).isEqualTo(7);
    assertThat(decoder.waits()).isTrue();
  }

  @Test
  void shouldRefuseMoreQueuesThanAClaimMayName() {
    List<String> most = Collections.nCopies(1000, "q");
    wrap(Claim.newBuilder().addAllQueues(most).build());
    assertThat(decoder.queueCount()).isEqualTo(1000);

    assertThatThrownBy(() -> wrap(Claim.newBuilder().addAllQueues(most).addQueues("r").build()))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("Claim.queues")
        .hasMessageContaining("1001");
  }

  @Test
  void shouldReadALimitOfZeroAsOne() {
    wrap(Claim.newBuilder().addQueues("q").build());
    assertThat(decoder.limit()).isEqualTo(1);
    assertThat(decoder.hasIdentity()).isFalse();
  }

  @Test
  void shouldGiveTheCrcOfTheMessageWithoutItsIdentity() {
    Claim body = Claim.newBuilder().addQueues("q").setLeaseMs(5).build();
    CRC32C crc = new CRC32C();
    crc.update(body.toByteArray());
    wrap(body.toBuilder().setIdentity(IDENTITY).build());
    assertThat(decoder.bodyCrc()).isEqualTo((int) crc.getValue());
    wrap(body);
    assertThat(decoder.bodyCrc()).isEqualTo((int) crc.getValue());
  }

  @Test
  void shouldRefuseWhatTheSchemaForbids() {
    Claim.Builder good = Claim.newBuilder().addQueues("q");
    assertRefused(Claim.newBuilder(), "Claim.queues");
    assertRefused(good.clone().addQueues(""), "Claim.queues");
    assertRefused(good.clone().addQueues("x".repeat(1025)), "Claim.queues");
    assertRefused(good.clone().setLeaseMs(-1), "Claim.lease_ms");
    assertRefused(good.clone().setDeadlineMs(-1), "Claim.deadline_ms");
    assertRefused(good.clone().setLimit(1001), "Claim.limit");
    assertRefused(good.clone().setLimit(-1), "Claim.limit");
    assertRefused(good.clone().setFacadeValue(2), "Claim.facade");
    assertRefused(good.clone().setWait(true), "Claim.wait");
    assertRefused(good.clone().setClaimant(Id.newBuilder().setText("x")), "Claim.claimant");
    assertRefused(good.clone().setIdentity(Identity.newBuilder()), "Identity.client_high");
    assertRefused(good.clone().setIdentity(IDENTITY.toBuilder().clearNumber()), "Identity.number");
    assertRefused(
        good.clone().setIdentity(IDENTITY.toBuilder().setAckedBelow(10)), "Identity.acked_below");
    assertRefused(
        good.clone().setIdentity(IDENTITY.toBuilder().clearAckedBelow()), "Identity.acked_below");
  }

  private void assertRefused(Claim.Builder claim, String field) {
    assertThatThrownBy(() -> wrap(claim.build()))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageStartingWith(field + " at byte ");
  }
}
