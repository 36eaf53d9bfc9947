#!/bin/sh
# Makes the folder `secrets` with new random passwords and keys. Changes nothing if the folder exists.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo "secrets exists already: nothing was changed" >&2
  exit 1
fi

random() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# Only the owner may enter the folder. The files inside are readable, because the programs in the containers are other users.
umask 022
mkdir -m 0700 secrets.next
cd secrets.next
password=$(random) api_key=$(random) hmac_key=$(random)
printf '%s' "$password" >database_password
printf 'postgres://assay:%s@db:5432/assay' "$password" >database_url
printf '%s' "$api_key" >waha_api_key
printf '%s' "$hmac_key" >waha_hmac_key
cat >waha.env <<END
WAHA_API_KEY=$api_key
WHATSAPP_HOOK_HMAC_KEY=$hmac_key
WAHA_DASHBOARD_USERNAME=admin
WAHA_DASHBOARD_PASSWORD=$(random)
WHATSAPP_SWAGGER_USERNAME=admin
WHATSAPP_SWAGGER_PASSWORD=$(random)
END
cd ..
mv secrets.next secrets
echo "made secrets; the password of WAHA's dashboard is in secrets/waha.env" >&2
