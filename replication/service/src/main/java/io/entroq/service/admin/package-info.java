/**
 * What operators ask of a server: how the member of a cluster stands that it is, and for a
 * snapshot. {@code entroq/v1/admin.proto} is the protocol.
 */
package io.entroq.service.admin;
