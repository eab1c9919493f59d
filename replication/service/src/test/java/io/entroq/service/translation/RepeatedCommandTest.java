package io.entroq.service.translation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.DocID;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.engine.gateway.GatewayLimits;
import io.entroq.engine.gateway.Identity;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;

/**
 * A request with an identity that is repeated at another member, of this or another version, is the
 * same command there: its checksum must not change.
 */
class RepeatedCommandTest {
  private static final Optional<Identity> IDENTITY = Optional.of(new Identity(1, 2, 3, 4));
  private static final ExpandableArrayBuffer BUFFER = new ExpandableArrayBuffer();

  @Test
  void shouldKeepTheChecksumOfAModifyWithoutNames() {
    ModifyRequest request =
        ModifyRequest.newBuilder()
            .setClientId(ByteString.copyFromUtf8("0123456789abcdef"))
            .addInserts(TaskData.newBuilder().setQueue("q"))
            .addChanges(
                TaskChange.newBuilder()
                    .setOldId(TaskID.newBuilder().setId("x").setVersion(1))
                    .setNewData(TaskData.getDefaultInstance()))
            .addDocDeletes(DocID.newBuilder().setId("d"))
            .setThenClaim(ClaimRequest.newBuilder().addQueues(""))
            .build();
    int length =
        ModifyCommandWriter.ofThread()
            .write(BUFFER, Facade.V1, request, IDENTITY, new GatewayLimits(1 << 20, 1 << 20, 0, 0));
    assertThat(checksum(length)).isEqualTo(2_788_597_236L);
  }

  @Test
  void shouldKeepTheChecksumOfAClaimWithoutNames() {
    ClaimRequest request = ClaimRequest.newBuilder().setClaimantId("me").addQueues("").build();
    int length = ClaimCommandWriter.ofThread().write(BUFFER, Facade.V1, request, IDENTITY, true);
    assertThat(checksum(length)).isEqualTo(948_963_610L);
  }

  private static long checksum(int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(BUFFER.byteArray(), 0, length);
    return checksum.getValue();
  }
}
