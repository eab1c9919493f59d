/**
 * The messages of the v1 API as JSON, and as parameters of an address, contract 1.13.
 *
 * <p>Protobuf's own printer writes the number 1 as 1.0, and its reader builds what is stored as
 * bytes here; so both are written anew over the descriptors of the messages. Any thread.
 */
package io.entroq.service.protojson;
